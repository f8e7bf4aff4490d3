package dev.baton.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.Bytes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node's own page may ask for, on a listener that lets nobody in without a certificate.
 *
 * <p>A browser shows the certificate by itself, whoever made it send the request. So only the listener's own page is
 * heard, see {@link HttpListener}, and only in JSON, which no form can send.
 */
final class ConsoleActions {

    static final List<String> WORDS = List.of("handoff", "pause", "resume");

    private static final int LARGEST = 4096;
    private static final int LONGEST_REASON = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final AdminPages admin;

    ConsoleActions(AdminPages admin) {
        this.admin = admin;
    }

    Route route() {
        return Route.post("/console/actions", LARGEST, this::act);
    }

    private Answer act(Request request) throws IOException, InterruptedException {
        if (!request.header("Content-Type").orElse("").startsWith("application/json")) {
            return Answer.error(415, "Content-Type: missing (expected: application/json)");
        }
        JsonNode asked = parse(request.body());
        String reason = asked.path("reason").asText("").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw new Request.BadRequestException(
                    "reason: " + reason.length() + " characters (expected: 1 to " + LONGEST_REASON + ")");
        }
        Map<String, String> parameters = new HashMap<>();
        parameters.put("seat", asked.path("seat").asText(""));
        parameters.put("to", asked.path("node").asText(""));
        parameters.put("why", reason.replaceAll("\\p{Cntrl}", " "));
        Request same = new Request(request.method(), "", parameters, request.headers(), Bytes.EMPTY);
        String action = asked.path("action").asText("");
        return switch (action) {
            case "handoff" -> admin.handoff(same);
            case "pause" -> admin.pause(same);
            case "resume" -> admin.resume(same);
            default ->
                throw new Request.BadRequestException("action: \"" + action + "\" (expected: one of " + WORDS + ")");
        };
    }

    private static JsonNode parse(Bytes body) {
        try {
            JsonNode json = JSON.readTree(body.toUtf8());
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            // told below
        }
        throw new Request.BadRequestException("body: not JSON (expected: an object)");
    }
}
