package dev.baton.bench.tokens;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A number that is to be reached, and how far it may go. */
record Reach(String name, double bound, boolean atMost) {

    /** Callers that send a call of their own for each token, over callers that put a key of their own. */
    static final String STRICT_OVER_ETCD_PUT = "strictOverEtcdPut";

    static final String STRICT_OVER_ETCD_PUT_1024 = "strictOverEtcdPut1024";
    static final String LEASED_OVER_ECHO = "leasedOverEcho";
    static final String THOUSAND_OVER_ONE = "thousandNamespacesOverOne";
    static final String P99_OVER_COMMIT = "p99AtHalfLoadOverCommitP99";
    /** The same for callers of the client, which sends together those that wait. */
    static final String CLIENT_P99_OVER_COMMIT = "clientP99AtHalfLoadOverCommitP99";

    static final String ONE_CLIENT = "oneClientIdsPerSecond";
    static final String MEMORY = "memoryLastOverFirst";

    private static final double STRICT_ON_REDIS = 6;
    private static final double STRICT_ELSEWHERE = 3;

    /** What tokens on this authority are to reach. */
    static List<Reach> of(String authority) {
        return List.of(
                atLeast(STRICT_OVER_ETCD_PUT, authority.equals("redis") ? STRICT_ON_REDIS : STRICT_ELSEWHERE),
                atLeast(STRICT_OVER_ETCD_PUT_1024, 8),
                atLeast(LEASED_OVER_ECHO, 0.6),
                atMost(THOUSAND_OVER_ONE, 1.3),
                atMost(P99_OVER_COMMIT, 3),
                atMost(CLIENT_P99_OVER_COMMIT, 3),
                atLeast(ONE_CLIENT, 1_000_000),
                atMost(MEMORY, 1.2));
    }

    private static Reach atLeast(String name, double bound) {
        return new Reach(name, bound, false);
    }

    private static Reach atMost(String name, double bound) {
        return new Reach(name, bound, true);
    }

    /** Not a number is never reached. */
    boolean isReachedBy(double value) {
        return atMost ? value <= bound : value >= bound;
    }

    /** What was missed, in words; nothing of what was not measured. */
    static List<String> missed(List<Reach> reaches, Map<String, Double> measured) {
        List<String> missed = new ArrayList<>();
        for (Reach reach : reaches) {
            Double value = measured.get(reach.name());
            if (value != null && !reach.isReachedBy(value)) {
                missed.add(reach.name() + ": " + value + " (expected: " + reach.words() + ")");
            }
        }
        return missed;
    }

    private String words() {
        return (atMost ? "at most " : "at least ") + bound;
    }

    @Override
    public String toString() {
        return name + " " + words();
    }
}
