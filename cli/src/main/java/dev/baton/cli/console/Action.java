package dev.baton.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import dev.baton.core.Bytes;
import dev.baton.node.http.Request;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody wants done, and why. */
record Action(Kind kind, String node, Optional<String> seat, String reason) {

    private static final int LONGEST_REASON = 200;

    enum Kind {
        /** The node gets the seat from its holder. */
        HANDOFF,
        /** The node leads no more until it is resumed. */
        PAUSE,
        RESUME,
        /** The node's process is killed; {@code up} restarts it. */
        CRASH,
        /** The node's process is asked to end, which resigns first; {@code up} restarts it. */
        RESTART;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Action parse(Bytes body) {
        JsonNode json = Json.parse(body.toUtf8())
                .filter(JsonNode::isObject)
                .orElseThrow(() -> new Request.BadRequestException("body: not JSON (expected: an object)"));
        String word = json.path("action").asText("");
        Kind kind = Arrays.stream(Kind.values())
                .filter(known -> known.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new Request.BadRequestException("action: \"" + word + "\" (expected: one of "
                        + Arrays.stream(Kind.values()).map(Kind::word).toList() + ")"));
        String reason = json.path("reason").asText("").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw new Request.BadRequestException(
                    "reason: " + reason.length() + " characters (expected: 1 to " + LONGEST_REASON + ")");
        }
        return new Action(
                kind,
                json.path("node").asText(""),
                Optional.of(json.path("seat").asText("")).filter(seat -> !seat.isBlank()),
                reason.replaceAll("\\p{Cntrl}", " "));
    }

    @Override
    public String toString() {
        return kind.word() + " " + node + ": " + reason;
    }
}
