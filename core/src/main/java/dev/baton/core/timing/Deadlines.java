package dev.baton.core.timing;

/** Comparisons of monotonic times, which may overflow and have no meaningful sign. */
public final class Deadlines {

    private Deadlines() {}

    public static boolean isPast(long deadlineNanos, long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    public static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos >= 0 ? oneNanos : otherNanos;
    }

    public static long earlier(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos <= 0 ? oneNanos : otherNanos;
    }
}
