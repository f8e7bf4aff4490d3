package dev.baton.core.timing;

import java.time.Duration;

/**
 * How long an engine leaves the seat to a holder that sends nothing.
 *
 * <p>INV-6: the holder's own deadline runs on its monotonic clock from the <em>earliest send</em> among the
 * acknowledgements that renewed the lease, and ends a drift earlier than the engine's.
 */
public record Lease(Duration ttl) {

    private static final Duration FIXED_DRIFT = Duration.ofMillis(2);

    public Lease {
        if (ttl.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException("lease: " + ttl + " (expected: PT0.01S or longer)");
        }
    }

    /** What clocks may differ by over one lease: a hundredth of it and two milliseconds. */
    public Duration drift() {
        return ttl.dividedBy(100).plus(FIXED_DRIFT);
    }

    /** The monotonic time after which a holder whose renewal was sent at {@code sentNanos} must not act. */
    public long deadlineNanos(long sentNanos) {
        return sentNanos + ttl.minus(drift()).toNanos();
    }
}
