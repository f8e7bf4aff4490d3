package dev.baton.node;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.control.seal.ClusterKey;
import dev.baton.control.seal.SealedTickets;
import dev.baton.core.SeatName;
import dev.baton.core.standing.Standing;
import dev.baton.node.config.ControlConfig;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.metrics.NodeMetrics;
import dev.baton.node.presence.PeerChannels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** How a node is steered over gRPC, if its configuration says so: the control plane, and what the node does because of it. */
final class Steerage implements AutoCloseable {

    /** A node that nobody steers this way. */
    static final Steerage NONE = new Steerage(Optional.empty(), Optional.empty(), Path.of(""), false);

    private final Optional<ControlPlane> plane;
    private final Optional<NodeConfig> config;
    private final Path folder;
    private final boolean oneLeader;

    private Steerage(Optional<ControlPlane> plane, Optional<NodeConfig> config, Path folder, boolean oneLeader) {
        this.plane = plane;
        this.config = config;
        this.folder = folder;
        this.oneLeader = oneLeader;
    }

    /** Before any seat is joined: a node that was stopped must know it then. */
    static Steerage open(NodeConfig config, DataFolder data) throws NodeFailure {
        if (config.control().isEmpty()) {
            return NONE;
        }
        ControlConfig control = config.control().get();
        Path folder = data.sub("control");
        try {
            ControlPlane opened = ControlPlane.open(
                    new ControlPlane.Settings(
                            control.listen().socketAddress(),
                            control.key(),
                            control.policy(),
                            control.tls().map(tls -> new ControlPlane.Tls(tls.certificate(), tls.key(), tls.trust())),
                            control.limits()),
                    folder,
                    config.seats().stream().map(SeatConfig::name).toList());
            return new Steerage(
                    Optional.of(opened),
                    Optional.of(config),
                    folder,
                    config.authority().isRaft());
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.CONFIGURATION, "control: " + e.getMessage(), e);
        }
    }

    /** By which nodes compare their keys without telling them; nothing if there is none, or none that can be read. */
    static Optional<String> keyFingerprint(NodeConfig config) {
        return config.control().flatMap(control -> {
            try {
                return Optional.of(ClusterKey.read(control.key()).fingerprint());
            } catch (IOException e) {
                return Optional.empty(); // opening the control plane fails on it, and says why
            }
        });
    }

    /** Lets callers in; the seats are joined. */
    void listen(Node node, PeerChannels channels, NodeMetrics measured) throws NodeFailure {
        if (plane.isEmpty()) {
            return;
        }
        try {
            plane.get()
                    .listen(
                            new SteeredNode(node),
                            node.self(),
                            folder,
                            () -> node.seat(new SeatName(SeatConfig.CONTROL))
                                    .flatMap(seat -> seat.status().currentHolder()),
                            channels::to);
        } catch (IOException e) {
            throw NodeFailure.cannotListen("control.listen", configured().listen(), e);
        }
        measured.add(plane.get()::figures);
    }

    private ControlConfig configured() {
        return config.flatMap(NodeConfig::control).orElseThrow();
    }

    Optional<ControlPlane> plane() {
        return plane;
    }

    /** By which tickets are sealed, if the cluster has a key. */
    Optional<SealedTickets> seals() {
        return plane.map(ControlPlane::tickets);
    }

    ServedDuty duty() {
        return new ServedControl(plane.orElseThrow());
    }

    /** Where the control listener is; empty if there is none. */
    String address() {
        if (plane.isEmpty() || plane.get().port() == 0) {
            return "";
        }
        HostPort listen = configured().listen();
        String host = listen.isLoopback() ? listen.host() : config.orElseThrow().advertise();
        return new HostPort(host, plane.get().port()).toString();
    }

    /** Who keeps this node from the seat by order, if anybody does. */
    Optional<String> stopped(SeatConfig seat) {
        return plane.flatMap(opened -> opened.stops().of(seat.name()))
                .map(stop -> stop + " (expected: StartSequencer)");
    }

    /**
     * Why this node must not stand for the seat. Where all seats follow one leader, a node that holds the audit but not the
     * others would keep them from everybody: it leaves the audit to a node that can hold them all.
     */
    Optional<String> objection(SeatConfig seat, List<ServedSeat> seats) {
        if (!seat.keepsAudit() || !oneLeader) {
            return stopped(seat);
        }
        return seats.stream()
                .filter(other -> !other.config().keepsAudit())
                .filter(other ->
                        !other.status().readiness().isReady() || other.status().standing() instanceof Standing.Paused)
                .map(other -> other.name() + " cannot be held here either")
                .findFirst();
    }

    @Override
    public void close() {
        plane.ifPresent(ControlPlane::close);
    }
}
