package dev.baton.bench.tokens;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** The servers of the peers. */
final class PeerServers {

    private final Map<Peer.Kind, String> endpoints = new EnumMap<>(Peer.Kind.class);

    /** Starts all of them at once and waits until all are ready. */
    PeerServers(Children children, String peersClassPath) throws IOException, InterruptedException {
        EtcdServers etcd = EtcdServers.start(children, "etcd-of-peers");
        RedisServer redis = RedisServer.start(children, "redis-of-peers");
        ZooKeeperServers zooKeeper = ZooKeeperServers.start(children, "zookeeper", peersClassPath);
        PostgresServer postgres = PostgresServer.start(children, "postgres");
        endpoints.put(Peer.Kind.ETCD, etcd.await(children).endpoints());
        endpoints.put(Peer.Kind.REDIS, redis.await(children).address());
        endpoints.put(Peer.Kind.ZOOKEEPER, zooKeeper.await(children).addresses());
        endpoints.put(Peer.Kind.POSTGRES, postgres.await(children).address());
    }

    String endpoints(Peer peer) {
        return endpoints.getOrDefault(peer.kind(), "");
    }
}
