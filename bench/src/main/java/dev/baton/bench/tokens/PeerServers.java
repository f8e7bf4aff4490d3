package dev.baton.bench.tokens;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The servers of the peers. */
final class PeerServers {

    private enum Kind {
        ETCD,
        REDIS,
        POSTGRES,
        ZOOKEEPER
    }

    private final Map<Kind, String> endpoints = new EnumMap<>(Kind.class);

    /** Starts all of them at once and waits until all are ready. */
    PeerServers(Children children, String peersClassPath) throws IOException, InterruptedException {
        EtcdServers etcd = EtcdServers.start(children, "etcd-of-peers");
        RedisServer redis = RedisServer.start(children, "redis-of-peers");
        ZooKeeperServers zooKeeper = ZooKeeperServers.start(children, "zookeeper", peersClassPath);
        PostgresServer postgres = PostgresServer.start(children, "postgres");
        endpoints.put(Kind.ETCD, etcd.await(children).endpoints());
        endpoints.put(Kind.REDIS, redis.await(children).address());
        endpoints.put(Kind.ZOOKEEPER, zooKeeper.await(children).addresses());
        endpoints.put(Kind.POSTGRES, postgres.await(children).address());
    }

    /** Where each of them is, as the program of the peers wants to be told. */
    List<String> arguments() {
        return endpoints.entrySet().stream()
                .map(server -> server.getKey().name().toLowerCase(Locale.ROOT) + "=" + server.getValue())
                .toList();
    }
}
