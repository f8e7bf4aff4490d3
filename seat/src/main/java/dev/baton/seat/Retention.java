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

    private final LedgerLimits limits;

    /** The sizes of the newest entries, as far as they were seen; a node that has just started has seen few. */
    private final Deque<Integer> sizes = new ArrayDeque<>();

    private long bytes;
    private Height newest = Height.ZERO;

    /** What lies below this is more than the bytes that are kept. */
    private Height tooLarge = Height.ZERO;

    private Height partsSince = Height.ZERO;
    private int partsSeen;
    private Height checkpoint = Height.ZERO;
    private Height trimmed = Height.ZERO;

    Retention(LedgerLimits limits) {
        this.limits = limits;
    }

    void saw(Entry entry) {
        if (!entry.height().isAbove(newest)) {
            return;
        }
        newest = entry.height();
        sizes.addLast(entry.payload().size());
        bytes += entry.payload().size();
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Checkpoint part) {
                note(part, entry.height());
            }
        }
        while (sizes.size() > limits.entries()) {
            bytes -= sizes.removeFirst();
        }
        while (bytes > limits.bytes() && sizes.size() > 1) {
            bytes -= sizes.removeFirst();
            tooLarge = new Height(newest.value() - sizes.size() + 1);
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
        // By height: what this node has not seen since it started is in the ledger, too.
        long tooMany = newest.value() - limits.entries() + 1;
        long below = Math.min(checkpoint.value(), Math.max(tooMany, tooLarge.value()));
        long worthwhile = Math.max(1, limits.entries() / 16);
        return below - trimmed.value() >= worthwhile ? Optional.of(new Height(below)) : Optional.empty();
    }

    void trimmed(Height oldest) {
        trimmed = oldest;
    }
}
