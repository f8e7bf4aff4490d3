package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import dev.baton.bench.load.LoadLines;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A process of callers of any peer: {@code PeerMain SERVER=ENDPOINTS…}, then requests as {@link LoadLines} has them, their
 * arms the names of peers.
 */
public final class PeerMain implements AutoCloseable {

    private final Map<String, String> servers;
    private final Map<String, Peer> open = new LinkedHashMap<>();

    private PeerMain(Map<String, String> servers) {
        this.servers = servers;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> servers = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            servers.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        try (PeerMain peers = new PeerMain(servers)) {
            LoadLines.serve(System.in, System.out, peers::callers);
        }
        System.exit(0); // some libraries leave threads behind
    }

    /** Connects when a peer is asked for the first time: before that it shall not take anything from the others. */
    private IntFunction<AsyncCall> callers(String name) throws Exception {
        Peer known = open.get(name);
        if (known == null) {
            known = open(name);
            open.put(name, known);
        }
        return known::caller;
    }

    private Peer open(String name) throws Exception {
        return switch (name) {
            case "etcd-put" -> new EtcdPuts(server("etcd"));
            case "etcd-compare-and-set" -> new EtcdCompareAndSet(server("etcd"));
            case "redis-incr" -> new RedisIncrements(server("redis"));
            case "redisson-id-generator" -> new RedissonIds(server("redis"), 5_000);
            case "redisson-id-generator-one-at-a-time" -> new RedissonIds(server("redis"), 1);
            case "postgres-nextval" -> new PostgresSequence(server("postgres"));
            case "curator-atomic-long" -> new CuratorCounter(server("zookeeper"));
            default -> throw new IllegalArgumentException("peer: " + name + " (expected: one that this program knows)");
        };
    }

    private String server(String kind) {
        String endpoints = servers.get(kind);
        if (endpoints == null) {
            throw new IllegalArgumentException("no " + kind + "=ENDPOINTS among " + servers.keySet());
        }
        return endpoints;
    }

    @Override
    public void close() throws Exception {
        for (Peer peer : open.values()) {
            peer.close();
        }
    }
}
