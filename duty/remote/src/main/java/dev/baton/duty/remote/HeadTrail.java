package dev.baton.duty.remote;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The heads of a working sequencer as they were seen, one after the other. Used under one term, by one thread.
 *
 * <p>It judges age by when this node saw a head first, never by the block's own time, which is another machine's clock.
 */
final class HeadTrail {

    private record Step(BlockRef head, long seenNanos) {}

    private final Deque<Step> steps = new ArrayDeque<>();

    void note(BlockRef head, long nowNanos) {
        if (steps.isEmpty() || !steps.getLast().head().equals(head)) {
            steps.addLast(new Step(head, nowNanos));
        }
    }

    /** How long the newest head has been the newest. */
    Duration age(long nowNanos) {
        return steps.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(nowNanos - steps.getLast().seenNanos());
    }

    /** The newest head that others had this long to follow; older ones are forgotten. */
    Optional<BlockRef> settled(Duration after, long nowNanos) {
        Step found = null;
        while (!steps.isEmpty() && nowNanos - steps.getFirst().seenNanos() >= after.toNanos()) {
            found = steps.removeFirst();
        }
        if (found != null) {
            steps.addFirst(found); // the age is counted from it as long as nothing newer comes
        }
        return Optional.ofNullable(found).map(Step::head);
    }
}
