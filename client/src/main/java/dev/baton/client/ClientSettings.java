package dev.baton.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How a client behaves; checked as a whole, every fault is told at once.
 *
 * @param timeout how long a caller waits at most, tries and pauses together
 * @param attemptTimeout how long one try waits for its answer
 * @param tries how often a request is sent at most; being sent on to a named holder is none
 * @param backoff the longest pause before the second try; doubles with each further one
 * @param backoffCap no pause is longer
 * @param maxBatch how many waiting callers one request covers at most
 * @param batchesInFlight how many such requests of a namespace may be under way
 * @param maxWaiting how many callers of a namespace may wait before further ones are refused
 * @param checkOrder whether answers must lie above what was known when they were asked for
 */
record ClientSettings(
        List<String> addresses,
        Duration timeout,
        Duration attemptTimeout,
        int tries,
        Duration backoff,
        Duration backoffCap,
        int maxBatch,
        int batchesInFlight,
        int maxWaiting,
        boolean checkOrder,
        PrefetchSettings prefetch,
        BreakerSettings breaker) {

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):[0-9]{1,5}");

    ClientSettings {
        addresses = List.copyOf(addresses);
        List<String> faults = new ArrayList<>();
        if (addresses.isEmpty()) {
            faults.add("addresses: none (expected: host:port of at least one node)");
        }
        for (String address : addresses) {
            if (!isAddress(address)) {
                faults.add("addresses: " + address + " (expected: host:port)");
            }
        }
        positive(faults, "timeout", timeout);
        positive(faults, "attemptTimeout", attemptTimeout);
        positive(faults, "backoff", backoff);
        if (backoffCap.compareTo(backoff) < 0) {
            faults.add("backoffCap: " + backoffCap + " (expected: not shorter than backoff " + backoff + ")");
        }
        atLeastOne(faults, "tries", tries);
        atLeastOne(faults, "maxBatch", maxBatch);
        atLeastOne(faults, "batchesInFlight", batchesInFlight);
        atLeastOne(faults, "maxWaiting", maxWaiting);
        atLeastOne(faults, "prefetch.most", prefetch.most());
        positive(faults, "prefetch.age", prefetch.age());
        atLeastOne(faults, "breaker.window", breaker.window());
        atLeastOne(faults, "breaker.probes", breaker.probes());
        positive(faults, "breaker.openFor", breaker.openFor());
        if (breaker.failurePercent() < 1 || breaker.failurePercent() > 100) {
            faults.add("breaker.failurePercent: " + breaker.failurePercent() + " (expected: 1 to 100)");
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    static ClientSettings of(List<String> addresses) {
        return new ClientSettings(
                addresses,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                3,
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                10_000,
                4,
                1_000_000,
                true,
                new PrefetchSettings(false, 10_000, Duration.ofSeconds(1)),
                new BreakerSettings(50, 90, Duration.ofSeconds(2), 5));
    }

    static boolean isAddress(String address) {
        return ADDRESS.matcher(address).matches();
    }

    private static void positive(List<String> faults, String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            faults.add(name + ": " + value + " (expected: longer than nothing)");
        }
    }

    private static void atLeastOne(List<String> faults, String name, int value) {
        if (value < 1) {
            faults.add(name + ": " + value + " (expected: 1 or more)");
        }
    }

    /**
     * How tokens are asked for before anybody wants them.
     *
     * @param most how many of a namespace are kept at most
     * @param age after which kept ones are thrown away
     */
    record PrefetchSettings(boolean on, int most, Duration age) {}

    /**
     * When the breaker gives up for a while.
     *
     * @param window how many requests it looks back on
     * @param failurePercent opens if at least so many of them failed
     * @param openFor how long it then refuses everything
     * @param probes how many requests it lets through after that, to see
     */
    record BreakerSettings(int window, int failurePercent, Duration openFor, int probes) {}
}
