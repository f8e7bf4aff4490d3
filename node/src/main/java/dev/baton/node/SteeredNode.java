package dev.baton.node;

import dev.baton.control.ControlledNode;
import dev.baton.control.ControlledSeat;
import dev.baton.core.NodeId;
import dev.baton.core.standing.Readiness;
import java.util.Optional;

/** A node as its control plane sees it. The seat of the audit cannot be steered: it goes where the others go. */
record SteeredNode(NodeView node) implements ControlledNode {

    @Override
    public NodeId self() {
        return node.config().node();
    }

    @Override
    public String version() {
        return BuildInfo.version();
    }

    @Override
    public int peerCount() {
        return node.peers().presentCount();
    }

    @Override
    public Optional<ControlledSeat> seat(Optional<String> name) {
        return node.seat(name)
                .filter(seat -> !seat.config().keepsAudit())
                .map(seat -> new ControlledSeat(
                        seat.joined(),
                        seat.duty()::headFacts,
                        () -> node.config()
                                .neverLeads()
                                .<Readiness>map(Readiness.NotReady::new)
                                .orElseGet(() -> seat.duty().duty().readiness())));
    }

    @Override
    public Optional<String> unfit(ControlledSeat seat, NodeId target) {
        return node.handoffs().objection(seat.status(), target);
    }

    @Override
    public String controlAddressOf(NodeId other) {
        return other.equals(self())
                ? node.controlAddress()
                : node.peers()
                        .find(other)
                        .map(peer -> peer.presence().controlAddress())
                        .orElse("");
    }
}
