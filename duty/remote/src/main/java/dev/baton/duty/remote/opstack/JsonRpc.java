package dev.baton.duty.remote.opstack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Calls of JSON-RPC 2.0 over HTTP, several at once. Thread-safe. */
final class JsonRpc implements AutoCloseable {

    record Call(String method, List<String> parameters) {}

    /** One answer: a result, or an error with its number. */
    sealed interface Answer {

        record Result(JsonNode value) implements Answer {}

        record Failed(int code, String message) implements Answer {}
    }

    private final URI server;
    private final Duration timeout;
    private final HttpClient client;
    private final ObjectMapper json = new ObjectMapper();

    JsonRpc(URI server, Duration timeout) {
        this.server = server;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    /** The answers in the order of the calls; fails if there is not one for each in time. */
    List<Answer> call(List<Call> calls) throws IOException, InterruptedException {
        ArrayNode batch = json.createArrayNode();
        for (int i = 0; i < calls.size(); i++) {
            ObjectNode call = batch.addObject();
            call.put("jsonrpc", "2.0").put("id", i).put("method", calls.get(i).method());
            calls.get(i).parameters().forEach(call.putArray("params")::add);
        }
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(server)
                        .timeout(timeout)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(batch)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("HTTP status " + response.statusCode() + " (expected: 200)");
        }
        return answers(response.body(), calls.size());
    }

    private List<Answer> answers(String body, int expected) throws IOException {
        Map<Integer, Answer> byId = new HashMap<>();
        try {
            for (JsonNode answer : json.readTree(body)) {
                byId.put(answer.path("id").asInt(-1), answer(answer));
            }
        } catch (JsonProcessingException e) {
            throw new IOException("no JSON: " + e.getOriginalMessage(), e);
        }
        if (byId.size() != expected || byId.containsKey(-1)) {
            throw new IOException(byId.size() + " answers (expected: " + expected + ")");
        }
        return byId.keySet().stream().sorted().map(byId::get).toList();
    }

    private static Answer answer(JsonNode answer) {
        JsonNode error = answer.path("error");
        return error.isObject()
                ? new Answer.Failed(
                        error.path("code").asInt(), error.path("message").asText())
                : new Answer.Result(answer.path("result"));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
