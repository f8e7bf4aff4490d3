package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Locale;

/** What a node says about itself; for the timeline and for choosing targets, never for the verdict. */
public record NodeSample(
        String node, boolean up, String standing, boolean ready, long epoch, long height, String hash) {

    private static final String LEADER = "leader";
    private static final String FOLLOWER = "follower";

    static NodeSample of(String node, SeatKind duty, JsonNode status) {
        JsonNode seat = seat(duty.seat(), status);
        JsonNode ledger = seat(duty.ledgerSeat(), status);
        return new NodeSample(
                node,
                true,
                seat.path("standing").asText("").toLowerCase(Locale.ROOT),
                seat.path("ready").asBoolean(),
                seat.path("epoch").asLong(),
                ledger.path(duty.heightField()).asLong(),
                ledger.path("hash").asText(""));
    }

    private static JsonNode seat(String name, JsonNode status) {
        for (JsonNode each : status.path("seats")) {
            if (each.path("seat").asText().equals(name)) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }

    static NodeSample silent(String node) {
        return new NodeSample(node, false, "", false, 0, 0, "");
    }

    public boolean leads() {
        return standing.equals(LEADER);
    }

    /** Whether it leads, or could at once take the place of one that does. */
    public boolean isReady() {
        return leads() || (standing.equals(FOLLOWER) && ready);
    }

    boolean follows() {
        return standing.equals(FOLLOWER);
    }

    boolean takesPart() {
        return up && !standing.isEmpty();
    }
}
