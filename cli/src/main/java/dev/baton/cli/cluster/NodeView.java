package dev.baton.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a node says of itself and its first seat, or that it says nothing.
 *
 * @param standing such as LEADER; {@link #DOWN} if the node does not answer
 * @param epoch of the term the node knows
 * @param problem why it does not answer, or what went wrong last; empty if nothing
 */
public record NodeView(
        String node,
        String standing,
        OptionalLong epoch,
        long height,
        OptionalLong headAgeMillis,
        long pid,
        Optional<String> holder,
        boolean ready,
        String explain,
        String problem) {

    public static final String DOWN = "DOWN";
    private static final String STARTING = "STARTING";
    private static final String LEADER = "LEADER";

    public static NodeView of(String node, Reply reply) {
        return switch (reply) {
            case Reply.Answered answered -> of(node, answered.body());
            case Reply.Refused refused -> down(node, refused.error());
            case Reply.Unreachable unreachable -> down(node, unreachable.why());
        };
    }

    public static NodeView down(String node, String why) {
        return new NodeView(
                node, DOWN, OptionalLong.empty(), 0, OptionalLong.empty(), 0, Optional.empty(), false, why, why);
    }

    private static NodeView of(String node, JsonNode status) {
        JsonNode seat = status.path("seats").path(0);
        JsonNode holder = seat.path("holder");
        OptionalLong epoch = number(seat.path("epoch"));
        return new NodeView(
                status.path("node").asText(node),
                seat.path("standing").asText(STARTING),
                epoch.isPresent() ? epoch : number(holder.path("epoch")),
                seat.path("height").asLong(),
                number(seat.path("headAgeMillis")),
                status.path("pid").asLong(),
                Optional.of(holder.path("node").asText("")).filter(name -> !name.isEmpty()),
                seat.path("ready").asBoolean(),
                seat.path("explain").asText(""),
                seat.path("lastProblem").asText(""));
    }

    private static OptionalLong number(JsonNode value) {
        return value.isNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }

    public NodeView withHeadAge(OptionalLong ageMillis) {
        return new NodeView(node, standing, epoch, height, ageMillis, pid, holder, ready, explain, problem);
    }

    public boolean isUp() {
        return !standing.equals(DOWN);
    }

    /** Whether it stands for the seat in some way, so that it has joined the cluster. */
    public boolean isPart() {
        return isUp() && !standing.equals(STARTING);
    }

    public boolean leads() {
        return standing.equals(LEADER);
    }

    public ObjectNode toJson() {
        ObjectNode json = Json.object();
        json.put("node", node).put("up", isUp()).put("standing", standing);
        json.put("epoch", epoch.isPresent() ? epoch.getAsLong() : null);
        json.put("height", height);
        json.put("headAgeMillis", headAgeMillis.isPresent() ? headAgeMillis.getAsLong() : null);
        json.put("pid", pid).put("holder", holder.orElse(null)).put("ready", ready);
        return json.put("explain", explain).put("problem", problem);
    }
}
