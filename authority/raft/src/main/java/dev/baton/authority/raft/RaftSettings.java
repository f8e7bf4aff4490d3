package dev.baton.authority.raft;

import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How one member of the Raft group is set up.
 *
 * @param peers where each member is reached by the others, {@code host:port}; this node among them
 * @param witnesses members that vote and keep the log but never hold a seat
 * @param storage a directory of this member's own
 * @param bootstrap whether an empty storage may begin a new group. True only when the cluster is created: a member
 *     that has lost its disk has forgotten its votes, and must not come back as if nothing had happened
 * @param lease how long a holder may go without a commit before this member ends its term
 * @param times when the engine gives up on a silent leader
 * @param limits sizes
 * @param listen where this member listens, if not where the others reach it, as behind a proxy
 */
public record RaftSettings(
        ClusterId cluster,
        NodeId node,
        Map<NodeId, String> peers,
        Set<NodeId> witnesses,
        Path storage,
        boolean bootstrap,
        Duration lease,
        Times times,
        Limits limits,
        Optional<TlsFiles> tls,
        Optional<String> listen) {

    /**
     * The engine's times.
     *
     * @param electionMin the shortest silence after which a member stands for election
     * @param electionMax the longest
     * @param request how long a promotion or an append may take before its outcome is declared unknown
     */
    public record Times(Duration electionMin, Duration electionMax, Duration request) {

        /** What is stable on a local network. */
        public static final Times DEFAULT =
                new Times(Duration.ofMillis(150), Duration.ofMillis(300), Duration.ofSeconds(2));
    }

    /**
     * The engine's sizes.
     *
     * @param entryBytes the largest ledger entry, facts included
     * @param snapshotEntries a snapshot is taken after so many log entries
     * @param snapshotBytes or after so many bytes, whichever comes first
     */
    public record Limits(int entryBytes, int snapshotEntries, int snapshotBytes) {

        public static final Limits DEFAULT = new Limits((1 << 20) + (64 << 10), 8192, 16 << 20);
    }

    private static final Duration SHORTEST_ELECTION = Duration.ofMillis(20);
    private static final int LARGEST_ENTRY = 32 << 20;

    public RaftSettings {
        peers = Map.copyOf(peers);
        witnesses = Set.copyOf(witnesses);
    }

    /** A member with the default times and sizes, without TLS. */
    public static RaftSettings of(
            ClusterId cluster, NodeId node, Map<NodeId, String> peers, Path storage, Duration lease) {
        return new RaftSettings(
                cluster,
                node,
                peers,
                Set.of(),
                storage,
                true,
                lease,
                Times.DEFAULT,
                Limits.DEFAULT,
                Optional.empty(),
                Optional.empty());
    }

    /**
     * One member alone, for development: it votes for itself, and its disk is the only copy. Before others join it, it
     * restarts with all peers in its settings: alone it elects itself faster than a network allows.
     */
    public static RaftSettings single(ClusterId cluster, NodeId node, String address, Path storage, Duration lease) {
        return of(cluster, node, Map.of(node, address), storage, lease);
    }

    public RaftSettings with(Times changed) {
        return new RaftSettings(
                cluster, node, peers, witnesses, storage, bootstrap, lease, changed, limits, tls, listen);
    }

    public RaftSettings with(Limits changed) {
        return new RaftSettings(
                cluster, node, peers, witnesses, storage, bootstrap, lease, times, changed, tls, listen);
    }

    public RaftSettings with(TlsFiles files) {
        return new RaftSettings(
                cluster, node, peers, witnesses, storage, bootstrap, lease, times, limits, Optional.of(files), listen);
    }

    public RaftSettings withWitnesses(Set<NodeId> changed) {
        return new RaftSettings(cluster, node, peers, changed, storage, bootstrap, lease, times, limits, tls, listen);
    }

    public RaftSettings withBootstrap(boolean changed) {
        return new RaftSettings(cluster, node, peers, witnesses, storage, changed, lease, times, limits, tls, listen);
    }

    public RaftSettings withListen(String changed) {
        return new RaftSettings(
                cluster, node, peers, witnesses, storage, bootstrap, lease, times, limits, tls, Optional.of(changed));
    }

    /** Where this member listens. */
    public String listenAddress() {
        return listen.orElseGet(this::address);
    }

    /** Where the others reach this member. */
    public String address() {
        String address = peers.get(node);
        if (address == null) {
            throw new IllegalStateException("peers: " + peers.keySet() + " (expected: " + node + " among them)");
        }
        return address;
    }

    /** Where the other members are. */
    List<String> others() {
        return peers.entrySet().stream()
                .filter(peer -> !peer.getKey().equals(node))
                .map(Map.Entry::getValue)
                .toList();
    }

    boolean isWitness(NodeId member) {
        return witnesses.contains(member);
    }

    boolean isSingle() {
        return peers.size() == 1;
    }

    /** Everything that makes these settings unsafe or senseless; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        memberFaults(prefix, faults);
        if (lease.compareTo(times.electionMax()) < 0) {
            faults.add(new Fault(
                    prefix + "lease",
                    lease.toString(),
                    "as long as election-max " + times.electionMax() + ", or longer"));
        }
        if (times.electionMin().compareTo(SHORTEST_ELECTION) < 0) {
            faults.add(new Fault(
                    prefix + "election-min", times.electionMin().toString(), SHORTEST_ELECTION + " or longer"));
        }
        if (times.electionMax().compareTo(times.electionMin()) <= 0) {
            faults.add(new Fault(
                    prefix + "election-max",
                    times.electionMax().toString(),
                    "longer than election-min " + times.electionMin() + ", or members keep standing at the same time"));
        }
        if (times.request().compareTo(times.electionMax()) < 0) {
            faults.add(new Fault(
                    prefix + "request",
                    times.request().toString(),
                    "election-max " + times.electionMax() + " or longer"));
        }
        if (limits.entryBytes() < 1024 || limits.entryBytes() > LARGEST_ENTRY) {
            faults.add(new Fault(prefix + "entry-bytes", limits.entryBytes() + "", "1024 to " + LARGEST_ENTRY));
        }
        if (limits.snapshotEntries() < 16) {
            faults.add(new Fault(prefix + "snapshot-entries", limits.snapshotEntries() + "", "16 or more"));
        }
        if (limits.snapshotBytes() < limits.entryBytes()) {
            faults.add(new Fault(
                    prefix + "snapshot-bytes",
                    limits.snapshotBytes() + "",
                    "entry-bytes " + limits.entryBytes() + " or more"));
        }
        tls.ifPresent(files -> named(files).forEach((name, path) -> {
            if (!Files.isReadable(path)) {
                faults.add(new Fault(prefix + "tls." + name, path.toString(), "a readable file"));
            }
        }));
        return List.copyOf(faults);
    }

    private void memberFaults(String prefix, List<Fault> faults) {
        if (!peers.containsKey(node)) {
            faults.add(new Fault(prefix + "peers", peers.keySet().toString(), node + " among them"));
        }
        if (bootstrap && peers.size() == 2) {
            faults.add(new Fault(
                    prefix + "peers",
                    peers.keySet().toString(),
                    "one member, for development, or three and more: with two, the loss of either stops both. For two"
                            + " nodes add a witness, or choose an engine that runs beside them: redis, etcd or nats"));
        }
        if (!peers.keySet().containsAll(witnesses)) {
            faults.add(new Fault(prefix + "witnesses", witnesses.toString(), "some of the peers " + peers.keySet()));
        }
        if (witnesses.containsAll(peers.keySet())) {
            faults.add(new Fault(
                    prefix + "witnesses",
                    witnesses.toString(),
                    "at least one peer that may hold seats: " + peers.keySet()));
        }
        peers.forEach((peer, address) -> {
            if (!address.matches("[^:/]+:[0-9]{1,5}|\\[[^]]+]:[0-9]{1,5}")) {
                faults.add(new Fault(prefix + "peers." + peer, address, "host:port"));
            }
        });
    }

    private static Map<String, Path> named(TlsFiles files) {
        Map<String, Path> named = new LinkedHashMap<>();
        named.put("key", files.key());
        named.put("certificate", files.certificate());
        named.put("authority", files.authority());
        return named;
    }

    /** What is allowed but rarely wanted. */
    public List<String> warnings() {
        return peers.size() % 2 == 0
                ? List.of(peers.size() + " members bear the loss of no more of them than " + (peers.size() - 1) + " do")
                : List.of();
    }
}
