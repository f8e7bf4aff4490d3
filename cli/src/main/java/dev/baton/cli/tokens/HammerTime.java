package dev.baton.cli.tokens;

import java.time.Duration;

/** How long a run goes on, and how long its last requests may take. Thread-safe. */
final class HammerTime {

    /** What is under way when a run is ended early is waited for so long. */
    private static final Duration LAST_WORD = Duration.ofSeconds(1);

    private volatile long endNanos;
    private volatile long giveUpNanos;

    HammerTime(Duration length, Duration within) {
        this.endNanos = System.nanoTime() + length.toNanos();
        this.giveUpNanos = endNanos + within.toNanos();
    }

    boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }

    /** Whether a request that was not answered by now is not asked for again. */
    boolean isGivenUp() {
        return System.nanoTime() - giveUpNanos > 0;
    }

    void endNow() {
        long nowNanos = System.nanoTime();
        endNanos = nowNanos;
        giveUpNanos = nowNanos + LAST_WORD.toNanos();
    }
}
