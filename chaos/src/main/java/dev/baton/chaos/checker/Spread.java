package dev.baton.chaos.checker;

import java.util.Arrays;
import java.util.Collection;

/** How a number of durations are spread, by nearest rank: each value is one that was measured. */
public record Spread(int n, long p50Nanos, long p95Nanos, long p99Nanos, long maxNanos) {

    public static final Spread NONE = new Spread(0, 0, 0, 0, 0);

    public static Spread of(Collection<Long> nanos) {
        if (nanos.isEmpty()) {
            return NONE;
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return new Spread(
                sorted.length, rank(sorted, 50), rank(sorted, 95), rank(sorted, 99), sorted[sorted.length - 1]);
    }

    private static long rank(long[] sorted, int percent) {
        return sorted[Math.max(0, (int) Math.ceilDiv((long) sorted.length * percent, 100L) - 1)];
    }
}
