package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** When clients and readers saw something new committed: the pulse of the run. */
public final class Commits {

    /**
     * A sign of work: an OK answer, or a height that no reader had seen before.
     *
     * @param height the height, or 0 if what was done has none
     * @param epoch the epoch, or 0 if the sign does not tell it
     */
    public record Sign(long atNanos, long height, long epoch) {}

    private final List<Sign> signs;
    private final NavigableMap<Long, Long> highestByNanos = new TreeMap<>();
    private final long heights;

    private Commits(List<Sign> signs) {
        this.signs = signs;
        long highest = 0;
        for (Sign each : signs) {
            if (each.height() > highest) {
                highest = each.height();
                highestByNanos.put(each.atNanos(), highest);
            }
        }
        heights = signs.stream()
                        .mapToLong(Sign::height)
                        .filter(height -> height > 0)
                        .distinct()
                        .count()
                + signs.stream().filter(each -> each.height() == 0).count();
    }

    public static Commits of(Account account) {
        List<Sign> signs = new ArrayList<>();
        long seen = 0;
        for (Event.BlockSeen each : account.blocks()) {
            if (each.block().height() > seen) {
                seen = each.block().height();
                signs.add(new Sign(each.atNanos(), seen, each.block().epoch()));
            }
        }
        for (Operation each : account.operations()) {
            switch (each.answer()) {
                case Answer.Included told
                when !told.duplicate() -> signs.add(new Sign(each.answeredNanos(), told.height(), 0));
                case Answer.Issued told -> signs.add(new Sign(each.answeredNanos(), told.height(), told.epoch()));
                // An old answer repeated says nothing about now.
                case Answer.Included told -> {}
                case Answer.Written told -> signs.add(new Sign(each.answeredNanos(), 0, told.timeline()));
                // It may have been there for long, and readers tell when it was new; what was made is not there yet.
                case Answer.Recorded told -> {}
                case Answer.Made told -> {}
                // It is in a pool; a block that carries it comes later, or never.
                case Answer.Pooled told -> {}
                case Answer.Refused told -> {}
                case Answer.Unknown told -> {}
            }
        }
        signs.sort(Comparator.comparingLong(Sign::atNanos));
        return new Commits(List.copyOf(signs));
    }

    /** All of them, by time. */
    public List<Sign> signs() {
        return signs;
    }

    /** How many different heights were seen committed, and how much that has none. */
    public long heights() {
        return heights;
    }

    /** The highest height that somebody had seen by then; 0 if none. */
    long highestBefore(long nanos) {
        Map.Entry<Long, Long> entry = highestByNanos.floorEntry(nanos);
        return entry == null ? 0 : entry.getValue();
    }
}
