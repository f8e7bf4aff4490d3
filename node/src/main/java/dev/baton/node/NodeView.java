package dev.baton.node;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.Holder;
import dev.baton.core.SeatName;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.presence.Handoffs;
import dev.baton.node.presence.PeerTable;
import java.util.List;
import java.util.Optional;

/** A node as those see it who answer questions about it. Thread-safe, nothing blocks. */
public interface NodeView {

    NodeConfig config();

    Holder self();

    long startedAtMillis();

    String authorityKind();

    /** The seats that were joined; none while the node starts. */
    List<ServedSeat> seats();

    PeerTable peers();

    Handoffs handoffs();

    Optional<Membership> membership();

    /** The servers outside that the engine runs on, if there are any. */
    Optional<EngineNodes> engineNodes();

    /** Where others reach this node's HTTP server. */
    String ownHttpAddress();

    /** Where the control listener is; empty if there is none. */
    String controlAddress();

    /** How this node is steered over gRPC, if it is. */
    Optional<ControlPlane> control();

    /** The text that Prometheus reads. */
    String metrics();

    boolean isStopping();

    /** The seat of this name; without a name, the first one. */
    default Optional<ServedSeat> seat(Optional<String> name) {
        return seats().stream()
                .filter(seat -> name.isEmpty() || seat.name().value().equals(name.get()))
                .findFirst();
    }

    default Optional<ServedSeat> seat(SeatName name) {
        return seat(Optional.of(name.value()));
    }
}
