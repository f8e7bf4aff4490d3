package dev.baton.node.presence;

import dev.baton.core.NodeId;
import dev.baton.node.config.Agreement;
import dev.baton.wire.node.v1.AnnounceRequest;
import dev.baton.wire.node.v1.AnnounceResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What two nodes that meet learn about each other. Thread-safe. */
public final class Introductions {

    private final NodeId self;
    private final Agreement agreement;
    private final Supplier<NodePresence> own;
    private final PeerTable table;
    private final InstantSource clock;

    public Introductions(
            NodeId self, Agreement agreement, Supplier<NodePresence> own, PeerTable table, InstantSource clock) {
        this.self = self;
        this.agreement = agreement;
        this.own = own;
        this.table = table;
        this.clock = clock;
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
            table.saw(other, keyDifference(other), clockAheadMillis(other));
        }
        return response.build();
    }

    /** Takes note of an answer; the list says where its sender is configured differently. */
    List<String> answered(AnnounceResponse response, boolean asking) {
        NodePresence other = NodePresence.ofWire(response.getPresence());
        List<String> differences = new ArrayList<>(differences(other, response.getAgreedMap()));
        differences.addAll(keyDifference(other));
        if (!asking) {
            table.saw(other, differences, clockAheadMillis(other));
        }
        return differences;
    }

    /**
     * Takes note of what another node told of itself elsewhere than here. Only if the two agree: where they do not, they
     * find out when they talk.
     */
    void overheard(NodePresence other) {
        if (other.agreement().equals(agreement.digest()) && keyDifference(other).isEmpty()) {
            table.saw(other, List.of(), clockAheadMillis(other));
        }
    }

    /** Apart from the agreement, so that nodes of a version that says nothing of its key still agree. */
    private List<String> keyDifference(NodePresence other) {
        String mine = own.get().keyFingerprint();
        String theirs = other.keyFingerprint();
        return mine.isEmpty() || theirs.isEmpty() || mine.equals(theirs)
                ? List.of()
                : List.of("control.key: " + mine + " at " + self + ", " + theirs + " at " + other.node()
                        + " (fingerprints)");
    }

    /** How far this node's wall clock is ahead of the other's; the time on the way is a part of it. */
    private long clockAheadMillis(NodePresence other) {
        return other.clockMillis() == 0 ? 0 : clock.millis() - other.clockMillis();
    }

    private List<String> differences(NodePresence other, Map<String, String> agreed) {
        if (other.agreement().equals(agreement.digest())) {
            return List.of();
        }
        List<String> named = agreement.differences(self.value(), other.node().value(), agreed);
        return named.isEmpty() ? List.of("values that an older or newer version compares") : named;
    }
}
