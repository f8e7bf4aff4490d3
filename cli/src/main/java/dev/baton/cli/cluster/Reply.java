package dev.baton.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What came of a request to a node. */
public sealed interface Reply {

    /** The node did it, or knows it. */
    record Answered(JsonNode body) implements Reply {}

    /** The node answered that it will not or cannot. */
    record Refused(int status, String error, JsonNode body) implements Reply {
        /** Whether the same request may succeed a little later. */
        public boolean mayRetry() {
            return body.path("retry").asBoolean(false) || status == 429;
        }
    }

    /** Nobody answered, or nobody who speaks as a node does. */
    record Unreachable(String why) implements Reply {}

    default Optional<JsonNode> answer() {
        return this instanceof Answered answered ? Optional.of(answered.body()) : Optional.empty();
    }
}
