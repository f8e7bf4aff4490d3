package dev.baton.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Speaks HTTP with nodes. Calls block; thread-safe. */
public final class NodeClient {

    private static final Duration CONNECT = Duration.ofSeconds(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final Duration timeout;

    public NodeClient(Duration timeout) {
        this.timeout = timeout;
    }

    public Reply get(URI base, String path) throws InterruptedException {
        return send(HttpRequest.newBuilder(base.resolve(path)).timeout(timeout).build());
    }

    public Reply post(URI base, String path, byte[] body, Duration patience) throws InterruptedException {
        return send(HttpRequest.newBuilder(base.resolve(path))
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
    }

    private Reply send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return replyOf(request, response.statusCode(), response.body());
        } catch (IOException e) {
            return new Reply.Unreachable(reason(request, e));
        }
    }

    private static Reply replyOf(HttpRequest request, int status, String body) {
        Optional<JsonNode> json = Json.parse(body);
        if (status == 200 && json.isPresent()) {
            return new Reply.Answered(json.get());
        }
        if (status == 200) {
            return new Reply.Unreachable(request.uri() + " does not answer as a node does");
        }
        JsonNode why = json.orElseGet(Json::object);
        String error = why.path("error").asText("");
        return new Reply.Refused(status, error.isEmpty() ? "HTTP status " + status : error, why);
    }

    private static String reason(HttpRequest request, IOException e) {
        String address = request.uri().getAuthority();
        return switch (e) {
            case HttpTimeoutException timeout -> address + " does not answer in time";
            case ConnectException refused -> address + " refuses connections";
            default -> address + ": " + e;
        };
    }

    /**
     * Follows a stream of JSON lines until it ends, breaks, the thread is interrupted, or {@code more} says no.
     *
     * @return why it ended; nothing if {@code more} ended it
     */
    public Optional<Reply> follow(URI base, String path, Predicate<JsonNode> more) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                if (response.statusCode() != 200) {
                    StringBuilder body = new StringBuilder();
                    lines.lines().forEach(body::append);
                    return Optional.of(replyOf(request, response.statusCode(), body.toString()));
                }
                return readLines(request, lines, more);
            }
        } catch (IOException e) {
            return Optional.of(new Reply.Unreachable(reason(request, e)));
        }
    }

    private static Optional<Reply> readLines(HttpRequest request, BufferedReader lines, Predicate<JsonNode> more)
            throws IOException {
        while (true) {
            String line = lines.readLine();
            if (line == null) {
                return Optional.of(new Reply.Unreachable(request.uri().getAuthority() + " ended the stream"));
            }
            Optional<JsonNode> value = line.isBlank() ? Optional.empty() : Json.parse(line);
            if (value.isPresent() && !more.test(value.get())) {
                return Optional.empty();
            }
        }
    }
}
