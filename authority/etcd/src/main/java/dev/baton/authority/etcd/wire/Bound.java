package dev.baton.authority.etcd.wire;

import java.time.Duration;

/** The monotonic time by which a call must have its answer, however many requests it takes. */
public record Bound(long nanos) {

    public static Bound in(Duration time) {
        return new Bound(System.nanoTime() + time.toNanos());
    }

    /** What is left; nothing or less once it is over. */
    public Duration left() {
        return Duration.ofNanos(nanos - System.nanoTime());
    }
}
