package dev.baton.bench.peers;

import dev.baton.bench.load.LoadLines;

/** A process of callers of one peer: {@code PeerMain NAME ENDPOINTS}, then requests as {@link LoadLines} has them. */
public final class PeerMain {

    private PeerMain() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2) {
            System.err.println("usage: " + PeerMain.class.getName() + " NAME ENDPOINTS");
            System.exit(2);
        }
        try (Peer peer = open(arguments[0], arguments[1])) {
            LoadLines.serve(System.in, System.out, arm -> peer::caller);
        }
        System.exit(0); // some libraries leave threads behind
    }

    private static Peer open(String name, String endpoints) throws Exception {
        return switch (name) {
            case "etcd-put" -> new EtcdPuts(endpoints);
            case "etcd-compare-and-set" -> new EtcdCompareAndSet(endpoints);
            case "redis-incr" -> new RedisIncrements(endpoints);
            case "redisson-id-generator" -> new RedissonIds(endpoints, 5_000);
            case "redisson-id-generator-one-at-a-time" -> new RedissonIds(endpoints, 1);
            case "postgres-nextval" -> new PostgresSequence(endpoints);
            case "curator-atomic-long" -> new CuratorCounter(endpoints);
            default -> throw new IllegalArgumentException("peer: " + name + " (expected: one that this program knows)");
        };
    }
}
