package dev.baton.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Pauses between tries: exponential with full jitter, so that clients that failed together do not come back together. */
record Backoff(long firstNanos, long capNanos, DoubleSupplier dice) {

    Backoff(Duration first, Duration cap, DoubleSupplier dice) {
        this(first.toNanos(), cap.toNanos(), dice);
    }

    /** The pause after {@code tries} tries: anything from nothing up to first × 2^(tries − 1). */
    long pauseNanos(int tries) {
        int doublings = Math.min(tries - 1, 30);
        long most = firstNanos > capNanos >> doublings ? capNanos : firstNanos << doublings;
        return (long) (dice.getAsDouble() * most);
    }
}
