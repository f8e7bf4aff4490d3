package dev.baton.chaos.checker;

import dev.baton.chaos.plan.FaultKind;
import java.util.Optional;

/**
 * A time without commits that was longer than usual, or a change of the holder.
 *
 * @param fromNanos the last commit before
 * @param toNanos the first commit after, which was not possible before
 * @param newEpoch whether another term made that commit
 * @param cause the fault that began nearest to it, if one was in force
 */
public record Outage(long fromNanos, long toNanos, boolean newEpoch, Optional<Cause> cause) {

    /**
     * A fault that an outage is put down to.
     *
     * @param waitedNanos from the fault's beginning, or the last commit if that was later, to the first commit after
     */
    public record Cause(int fault, FaultKind kind, long waitedNanos) {}
}
