package dev.baton.node.config;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which engine keeps the seats, and how this node reaches it.
 *
 * @param peers where the members of a Raft cluster listen for each other
 * @param witness the members that vote and keep the log, but never lead
 * @param start how a Raft member with an empty storage comes to its cluster
 * @param electionTimeoutMin a member that heard nothing from the leader for this long may stand for election
 * @param redis present if Redis nodes keep the seats
 * @param etcd present if an etcd cluster keeps them
 * @param nats present if NATS JetStream keeps them
 */
public record AuthorityConfig(
        String kind,
        Map<NodeId, HostPort> peers,
        Set<NodeId> witness,
        Start start,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        Duration requestTimeout,
        Optional<RedisConfig> redis,
        Optional<EtcdConfig> etcd,
        Optional<NatsConfig> nats) {

    /** How a Raft member begins. A storage that is not empty resumes, whatever is configured. */
    public enum Start {
        /** Only with the storage that it had: a member that has lost its disk has forgotten its votes. */
        RESUME,
        /** All members begin a new cluster together: at the very first start, never again. */
        BOOTSTRAP,
        /** Comes into a running cluster, as a new member or in place of the one that lost its disk. */
        JOIN
    }

    public static final String RAFT = "raft";
    public static final String REDIS = "redis";
    public static final String ETCD = "etcd";
    public static final String NATS = "nats";
    public static final String MEMORY = "memory";
    public static final List<String> KINDS = List.of(RAFT, REDIS, ETCD, NATS, MEMORY);

    public static final Duration DEFAULT_ELECTION_MIN = Duration.ofMillis(150);
    public static final Duration DEFAULT_ELECTION_MAX = Duration.ofMillis(300);
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration SHORTEST_ELECTION = Duration.ofMillis(50);

    public AuthorityConfig {
        peers = Map.copyOf(peers);
        witness = Set.copyOf(witness);
    }

    static AuthorityConfig on(RedisConfig redis) {
        return outside(REDIS, Optional.of(redis), Optional.empty(), Optional.empty());
    }

    static AuthorityConfig on(EtcdConfig etcd) {
        return outside(ETCD, Optional.empty(), Optional.of(etcd), Optional.empty());
    }

    static AuthorityConfig on(NatsConfig nats) {
        return outside(NATS, Optional.empty(), Optional.empty(), Optional.of(nats));
    }

    private static AuthorityConfig outside(
            String kind, Optional<RedisConfig> redis, Optional<EtcdConfig> etcd, Optional<NatsConfig> nats) {
        return new AuthorityConfig(
                kind,
                Map.of(),
                Set.of(),
                Start.RESUME,
                DEFAULT_ELECTION_MIN,
                DEFAULT_ELECTION_MAX,
                DEFAULT_REQUEST_TIMEOUT,
                redis,
                etcd,
                nats);
    }

    public AuthorityConfig withStart(Start changed) {
        return new AuthorityConfig(
                kind,
                peers,
                witness,
                changed,
                electionTimeoutMin,
                electionTimeoutMax,
                requestTimeout,
                redis,
                etcd,
                nats);
    }

    public boolean isRaft() {
        return kind.equals(RAFT);
    }

    public boolean isWitness(NodeId node) {
        return witness.contains(node);
    }

    List<Fault> faults(NodeId self, List<SeatConfig> seats) {
        if (redis.isPresent()) {
            return redis.get().faults("authority.", seats);
        }
        if (etcd.isPresent()) {
            return etcd.get().faults("authority.", seats);
        }
        if (nats.isPresent()) {
            return nats.get().faults("authority.", seats);
        }
        return isRaft() ? raftFaults(self) : List.of();
    }

    private List<Fault> raftFaults(NodeId self) {
        List<Fault> faults = new ArrayList<>();
        if (!peers.containsKey(self)) {
            faults.add(
                    new Fault("authority.peers", "without " + self, "host:port of every member, this node among them"));
        }
        if (peers.size() == 2 && start != Start.JOIN) {
            faults.add(new Fault(
                    "authority.peers",
                    "2 members",
                    "3 or more, or 1 for development: of two, neither can go on without the other; for two nodes take"
                            + " an engine that runs elsewhere, such as redis, etcd or nats (docs/guides/two-nodes.md), or"
                            + " add a third member as authority.witness"));
        }
        for (NodeId node : witness) {
            if (!peers.containsKey(node)) {
                faults.add(new Fault("authority.witness", node.value(), "a member from authority.peers"));
            }
        }
        if (!peers.isEmpty() && witness.containsAll(peers.keySet())) {
            faults.add(new Fault("authority.witness", "every member", "at least one member that may lead"));
        }
        if (electionTimeoutMin.compareTo(SHORTEST_ELECTION) < 0) {
            faults.add(new Fault(
                    "authority.election-timeout-min",
                    Durations.show(electionTimeoutMin),
                    Durations.show(SHORTEST_ELECTION) + " or longer"));
        }
        if (electionTimeoutMax.compareTo(electionTimeoutMin) <= 0) {
            faults.add(new Fault(
                    "authority.election-timeout-max",
                    Durations.show(electionTimeoutMax),
                    "longer than authority.election-timeout-min " + Durations.show(electionTimeoutMin)));
        }
        if (requestTimeout.compareTo(electionTimeoutMax) < 0) {
            faults.add(new Fault(
                    "authority.request-timeout",
                    Durations.show(requestTimeout),
                    "as long as authority.election-timeout-max " + Durations.show(electionTimeoutMax) + ", or longer"));
        }
        return faults;
    }
}
