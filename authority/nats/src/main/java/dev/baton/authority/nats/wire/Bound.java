package dev.baton.authority.nats.wire;

import java.time.Duration;

/** The monotonic time by which a call must have its answer, however many requests it takes. */
public record Bound(long nanos) {

    public static Bound in(Duration time) {
        return new Bound(System.nanoTime() + time.toNanos());
    }

    /** The same, so much earlier: what is left over is for asking what became of it. */
    public Bound less(Duration reserve) {
        return new Bound(nanos - reserve.toNanos());
    }

    /** What is left; nothing or less once it is over. */
    public Duration left() {
        return Duration.ofNanos(nanos - System.nanoTime());
    }
}
