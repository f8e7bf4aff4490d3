package dev.baton.seat;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Decides what the ledger may forget.
 *
 * <p>INV-10: nothing above the first entry of the newest complete checkpoint is ever trimmed, so that a duty can
 * always be rebuilt. Within that, the ledger keeps a number of entries and of bytes.
 */
final class Retention {

    private record Kept(Height height, int bytes) {}

    private final LedgerLimits limits;
    private final Deque<Kept> kept = new ArrayDeque<>();
    private long keptBytes;
    private Height partsSince = Height.ZERO;
    private int partsSeen;
    private Height checkpoint = Height.ZERO;
    private Height trimmed = Height.ZERO;

    Retention(LedgerLimits limits) {
        this.limits = limits;
    }

    void saw(Entry entry) {
        kept.addLast(new Kept(entry.height(), entry.payload().size()));
        keptBytes += entry.payload().size();
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Checkpoint part) {
                note(part, entry.height());
            }
        }
        while (kept.size() > limits.entries() || (keptBytes > limits.bytes() && kept.size() > 1)) {
            keptBytes -= kept.removeFirst().bytes();
        }
    }

    private void note(Fact.Checkpoint part, Height carriedBy) {
        if (part.part() == 1) {
            partsSince = carriedBy;
            partsSeen = 0;
        }
        partsSeen++;
        if (part.part() == part.parts() && partsSeen == part.parts()) {
            checkpoint = partsSince;
        }
    }

    /** Below which height to trim now, if it is worth the call. */
    Optional<Height> due() {
        Kept oldest = kept.peekFirst();
        if (oldest == null) {
            return Optional.empty();
        }
        Height below = oldest.height().isBelow(checkpoint) ? oldest.height() : checkpoint;
        long worthwhile = Math.max(1, limits.entries() / 16);
        return below.value() - trimmed.value() >= worthwhile ? Optional.of(below) : Optional.empty();
    }

    void trimmed(Height oldest) {
        trimmed = oldest;
    }
}
