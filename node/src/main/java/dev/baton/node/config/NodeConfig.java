package dev.baton.node.config;

import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Everything that one node is told.
 *
 * @param role whether it may lead
 * @param data the folder of this node alone
 * @param advertise the host under which others reach this node
 * @param control how the node is steered over gRPC, if it is
 * @param peers the other nodes; this node may stand among them, so that all files can be the same
 */
public record NodeConfig(
        ClusterId cluster,
        NodeId node,
        Role role,
        Path data,
        Listen listen,
        String advertise,
        AuthorityConfig authority,
        List<SeatConfig> seats,
        Map<NodeId, Peer> peers,
        Optional<Tls> tls,
        Optional<ControlConfig> control,
        LogConfig log) {

    public NodeConfig {
        seats = List.copyOf(seats);
        peers = Map.copyOf(peers);
    }

    /** What a node is there for. */
    public enum Role {
        /** Stands for its seats. */
        MEMBER,
        /** Follows and answers reads, and never leads. */
        OBSERVER
    }

    /** Where the node listens; a port of 0 means any free one. */
    public record Listen(HostPort grpc, HostPort http, HostPort raft, HostPort admin) {
        public static final Listen DEFAULT = new Listen(
                new HostPort("127.0.0.1", 7400),
                new HostPort("127.0.0.1", 7401),
                new HostPort("127.0.0.1", 7402),
                new HostPort("127.0.0.1", 7403));
    }

    /** Where another node is reached; {@code http} is only shown to people. */
    public record Peer(HostPort grpc, Optional<HostPort> http) {}

    /** PEM files: this node's certificate and key, and the authorities whose certificates it believes. */
    public record Tls(Path certificate, Path key, Path trust) {}

    public record LogConfig(Format format, String level) {

        public static final LogConfig DEFAULT = new LogConfig(Format.TEXT, "INFO");

        /** How a line of the log looks. */
        public enum Format {
            TEXT,
            JSON
        }
    }

    /** The same, but for how a member with an empty storage begins. */
    public NodeConfig withStart(AuthorityConfig.Start start) {
        return new NodeConfig(
                cluster,
                node,
                role,
                data,
                listen,
                advertise,
                authority.withStart(start),
                seats,
                peers,
                tls,
                control,
                log);
    }

    /** Why this node leads never; nothing if it may. */
    public Optional<String> neverLeads() {
        if (role == Role.OBSERVER) {
            return Optional.of(node + " is an observer: it follows and answers reads, and never leads");
        }
        return authority.isWitness(node)
                ? Optional.of(node + " is a witness: it votes, and never leads")
                : Optional.empty();
    }

    /** The other nodes. */
    public Map<NodeId, Peer> others() {
        Map<NodeId, Peer> others = new LinkedHashMap<>(peers);
        others.remove(node);
        return others;
    }

    /** What is wrong with the values taken together; an empty list allows a start. */
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(authority.faults(node, seats));
        for (int i = 0; i < seats.size(); i++) {
            faults.addAll(seats.get(i).faults("seats[" + i + "]."));
            faults.addAll(signerFaults("seats[" + i + "].", seats.get(i)));
        }
        if (seats.isEmpty()) {
            faults.add(new Fault("seats", "none", "at least one seat, or this node has nothing to do"));
        }
        long names = seats.stream().map(SeatConfig::name).distinct().count();
        if (names < seats.size()) {
            faults.add(new Fault("seats", "the same name twice", "each seat once"));
        }
        if (role == Role.OBSERVER && authority.isRaft() && !authority.isWitness(node)) {
            faults.add(new Fault(
                    "role",
                    "observer",
                    "on raft, where every node is a member that may be elected, also " + node
                            + " under authority.witness"));
        }
        control.ifPresent(steered -> faults.addAll(steered.faults()));
        listenFaults(faults);
        return List.copyOf(faults);
    }

    /** Nobody would believe the blocks of a node whose key is missing: it would lead, and everybody else stand still. */
    private List<Fault> signerFaults(String prefix, SeatConfig seat) {
        if (!seat.duty().equals(SeatConfig.SEQUENCER) || others().isEmpty()) {
            return List.of();
        }
        Set<NodeId> missing = new TreeSet<>(others().keySet());
        missing.add(node);
        missing.removeAll(seat.sequencer().signers().keySet());
        missing.removeAll(authority.witness());
        return missing.isEmpty()
                ? List.of()
                : List.of(new Fault(
                        prefix + "sequencer.signers",
                        "without " + missing,
                        "the public key of every node that may lead, as it stands in the second line of its"
                                + " signing-key"));
    }

    private void listenFaults(List<Fault> faults) {
        if (!listen.admin().isLoopback() && tls.isEmpty()) {
            faults.add(new Fault(
                    "listen.admin",
                    listen.admin().toString(),
                    "a loopback address such as 127.0.0.1:7403, or tls with certificate, key and trust: whoever reaches"
                            + " this port can move the seats"));
        }
        if (new HostPort(advertise, 0).isWildcard()) {
            faults.add(new Fault(
                    "advertise",
                    advertise,
                    "the host under which others reach this node, because " + listen.grpc()
                            + " stands for every address of this machine"));
        }
        Map<HostPort, String> taken = new LinkedHashMap<>();
        record Named(String key, HostPort address) {}
        List<Named> listeners = new ArrayList<>(List.of(
                new Named("listen.grpc", listen.grpc()),
                new Named("listen.http", listen.http()),
                new Named("listen.admin", listen.admin())));
        control.ifPresent(steered -> listeners.add(new Named("control.listen", steered.listen())));
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).handsOutTokens()) {
                TokensConfig tokens = seats.get(i).tokens();
                listeners.add(new Named("seats[" + i + "].tokens.listen", tokens.listen()));
                if (tokens.advertise()
                        .filter(host -> new HostPort(host, 0).isWildcard())
                        .isPresent()) {
                    faults.add(new Fault(
                            "seats[" + i + "].tokens.advertise",
                            tokens.advertise().get(),
                            "the host under which clients reach " + tokens.listen()));
                }
            }
        }
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).runsPostgres()) {
                listeners.add(new Named(
                        "seats[" + i + "].postgres.listen",
                        seats.get(i).postgres().listen()));
            }
        }
        if (authority.isRaft()) {
            listeners.add(new Named("listen.raft", listen.raft()));
            Optional.ofNullable(authority.peers().get(node))
                    .filter(member -> member.port() != listen.raft().port())
                    .ifPresent(member -> faults.add(new Fault(
                            "listen.raft",
                            listen.raft().toString(),
                            "port " + member.port() + ", as authority.peers says; the host may be another")));
        }
        for (Named listener : listeners) {
            if (listener.address().port() != 0) {
                String other = taken.putIfAbsent(listener.address(), listener.key());
                if (other != null) {
                    faults.add(new Fault(
                            listener.key(), listener.address().toString(), "a port of its own, not that of " + other));
                }
            }
        }
    }

    /** What is allowed but rarely wanted. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (SeatConfig seat : seats) {
            seat.timings().warnings().forEach(warning -> warnings.add(seat.name() + ": " + warning));
            if (seat.isFencedByStopping()) {
                Profiles.warnings(seat.timings()).forEach(warning -> warnings.add(seat.name() + ": " + warning));
            }
        }
        if (authority.kind().equals(AuthorityConfig.MEMORY)) {
            warnings.add("authority.kind memory keeps nothing: every seat and ledger is gone when the process ends");
        }
        authority.redis().ifPresent(redis -> warnings.addAll(redis.warnings()));
        authority.etcd().ifPresent(etcd -> warnings.addAll(etcd.warnings(seats)));
        authority.nats().ifPresent(nats -> warnings.addAll(nats.warnings(seats)));
        return warnings;
    }

    /** What follows from the configuration, for people to read. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append("cluster ").append(cluster).append(", node ").append(node).append(", engine ");
        text.append(authority.kind()).append('\n');
        for (SeatConfig seat : seats) {
            Duration drift = seat.timings().lease().drift();
            text.append("seat ")
                    .append(seat.name())
                    .append(" (")
                    .append(seat.duty())
                    .append("):");
            text.append(" a pulse every ").append(Durations.show(seat.timings().interval()));
            text.append(", fenced at the latest ")
                    .append(Durations.show(seat.timings().fenceAfter()))
                    .append(" after the last good pulse (")
                    .append(seat.timings().policy().failureThreshold())
                    .append(" failures of at most ")
                    .append(Durations.show(seat.timings().timeout()))
                    .append("), taken over after ");
            text.append(Durations.show(seat.timings().takeoverDelay()));
            text.append(seat.timings().takeoverOverride().isPresent() ? " (configured)" : " (computed)");
            text.append(", lease ").append(Durations.show(seat.timings().lease().ttl()));
            text.append(" of which its holder uses ")
                    .append(Durations.show(seat.timings().lease().ttl().minus(drift)))
                    .append('\n');
            if (seat.isFencedByStopping()) {
                text.append(new TimelinePicture(seat.timings()));
            }
        }
        warnings().forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }
}
