package dev.baton.control;

import dev.baton.core.NodeId;
import java.util.Optional;

/** The node as the control plane sees it. Thread-safe. */
public interface ControlledNode {

    NodeId self();

    String version();

    /** How many peers are present. */
    int peerCount();

    /** The seat of this name; without a name, the first one. */
    Optional<ControlledSeat> seat(Optional<String> name);

    /** Why the target must not get the seat now; asks the target itself, and blocks for that. */
    Optional<String> unfit(ControlledSeat seat, NodeId target);

    /** Where the control listener of that node is; empty if that is not known. */
    String controlAddressOf(NodeId node);
}
