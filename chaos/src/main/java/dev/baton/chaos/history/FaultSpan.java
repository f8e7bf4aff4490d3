package dev.baton.chaos.history;

import dev.baton.chaos.plan.FaultKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fault that was in force, from when to when.
 *
 * @param endedNanos when it was over; {@link #NEVER} if that was not recorded
 * @param failed why it could not be done, or undone, as planned
 */
public record FaultSpan(
        int id,
        FaultKind kind,
        List<String> targets,
        Map<String, String> parameters,
        long beganNanos,
        long endedNanos,
        Optional<String> failed) {

    public static final long NEVER = Long.MAX_VALUE;

    public boolean isOver() {
        return endedNanos != NEVER;
    }

    /** Whether it was in force at some time from {@code fromNanos} to {@code toNanos}. */
    public boolean touches(long fromNanos, long toNanos) {
        return beganNanos <= toNanos && endedNanos >= fromNanos;
    }
}
