package dev.baton.node.presence;

import dev.baton.core.NodeId;
import dev.baton.node.config.Agreement;
import dev.baton.wire.node.v1.AnnounceRequest;
import dev.baton.wire.node.v1.AnnounceResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What two nodes that meet learn about each other. Thread-safe. */
public final class Introductions {

    private final NodeId self;
    private final Agreement agreement;
    private final Supplier<NodePresence> own;
    private final PeerTable table;

    public Introductions(NodeId self, Agreement agreement, Supplier<NodePresence> own, PeerTable table) {
        this.self = self;
        this.agreement = agreement;
        this.own = own;
        this.table = table;
    }

    AnnounceRequest request(boolean asking) {
        return AnnounceRequest.newBuilder()
                .setPresence(own.get().toWire())
                .setAsking(asking)
                .build();
    }

    NodePresence own() {
        return own.get();
    }

    /** Answers a node that announces itself. What differs is known to the one who asked: its values come with it. */
    AnnounceResponse answer(AnnounceRequest request) {
        NodePresence other = NodePresence.ofWire(request.getPresence());
        AnnounceResponse.Builder response =
                AnnounceResponse.newBuilder().setPresence(own.get().toWire());
        if (!other.agreement().equals(agreement.digest())) {
            response.putAllAgreed(agreement.values());
        } else if (!request.getAsking()) {
            table.saw(other, List.of());
        }
        return response.build();
    }

    /** Takes note of an answer; the list says where its sender is configured differently. */
    List<String> answered(AnnounceResponse response, boolean asking) {
        NodePresence other = NodePresence.ofWire(response.getPresence());
        List<String> differences = differences(other, response.getAgreedMap());
        if (!asking) {
            table.saw(other, differences);
        }
        return differences;
    }

    private List<String> differences(NodePresence other, Map<String, String> agreed) {
        if (other.agreement().equals(agreement.digest())) {
            return List.of();
        }
        List<String> named = agreement.differences(self.value(), other.node().value(), agreed);
        return named.isEmpty() ? List.of("values that an older or newer version compares") : named;
    }
}
