package dev.baton.control.rpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** A token bucket for each of the hosts that asked last. Thread-safe. */
final class RateLimit {

    private static final int MOST_HOSTS = 1024;

    private final int perSecond;
    private final int burst;
    private final LongSupplier nanoClock;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_HOSTS;
        }
    };

    private record Bucket(double tokens, long atNanos) {}

    RateLimit(int perSecond, int burst, LongSupplier nanoClock) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanoClock = nanoClock;
    }

    synchronized boolean admits(String host) {
        long nowNanos = nanoClock.getAsLong();
        Bucket bucket = buckets.getOrDefault(host, new Bucket(burst, nowNanos));
        double tokens = Math.min(burst, bucket.tokens() + (nowNanos - bucket.atNanos()) / 1e9 * perSecond);
        boolean admitted = tokens >= 1;
        buckets.put(host, new Bucket(admitted ? tokens - 1 : tokens, nowNanos));
        return admitted;
    }
}
