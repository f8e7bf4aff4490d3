package dev.baton.chaos.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Speaks HTTP with nodes and servers. Calls block; thread-safe. */
public final class NodeHttp {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /** What came back; {@code body} is a missing node if it was no JSON. */
    public record Reply(int status, JsonNode body) {
        public boolean isOk() {
            return status == 200 && !body.isMissingNode();
        }
    }

    /** Asks; an {@link IOException} says that no answer came. */
    public Reply get(String address, String path, Duration patience) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(address, path)).timeout(patience).build());
    }

    public Reply post(String address, String path, byte[] body, Duration patience)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(address, path))
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
    }

    private static URI uri(String address, String path) {
        return URI.create("http://" + address + path);
    }

    private Reply send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) { // what the JDK says to a length that is no number
            throw new IOException("the answer's head was changed on the way", e);
        }
        try {
            return new Reply(response.statusCode(), JSON.readTree(response.body()));
        } catch (JsonProcessingException e) {
            return new Reply(response.statusCode(), JSON.missingNode());
        }
    }
}
