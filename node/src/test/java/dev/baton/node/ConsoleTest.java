package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConsoleTest {

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpRequest.Builder request(TestCluster cluster, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + cluster.node("n1").ownHttpAddress() + path));
    }

    /** Reads events until one is as wanted. */
    private JsonNode event(HttpRequest request, Predicate<JsonNode> wanted) throws Exception {
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    JsonNode event = new ObjectMapper().readTree(line.substring("data: ".length()));
                    if (wanted.test(event)) {
                        return event;
                    }
                }
            }
        }
        throw new IOException("the events ended");
    }

    private static JsonNode seat(JsonNode event) {
        return event.at("/state/nodes/n1/status/seats/0");
    }

    @Test
    void thePageIsServedWithAStrictPolicyAndSentOnceOnly() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");

            HttpResponse<String> page =
                    client.send(request(cluster, "/console/").build(), HttpResponse.BodyHandlers.ofString());

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("<title>Baton console</title>");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'");
            assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
            HttpResponse<String> again = client.send(
                    request(cluster, "/console/")
                            .header(
                                    "If-None-Match",
                                    page.headers().firstValue("ETag").orElseThrow())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            HttpResponse<String> bare =
                    client.send(request(cluster, "/console").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(bare.statusCode()).isEqualTo(308);
            assertThat(bare.headers().firstValue("Location")).contains("/console/");
        }
    }

    @Test
    void eventsShowTheLeaderItsLeaseItsCommitsAndItsBlocks() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");

            JsonNode event = event(
                    request(cluster, "/console/events").build(),
                    at -> seat(at).path("standing").asText().equals("LEADER")
                            && at.at("/state/nodes/n1/seats")
                                            .path(seat(at).path("seat").asText())
                                            .path("terms")
                                            .size()
                                    > 0
                            && at.path("blocks").size() > 0);

            assertThat(event.at("/state/source").asText()).isEqualTo("n1");
            assertThat(event.at("/state/actions").isArray()).isTrue();
            assertThat(event.at("/state/actions")).isEmpty();
            assertThat(seat(event).path("deadlineLeftMillis").isNumber()).isTrue();
            JsonNode facts = event.at("/state/nodes/n1/seats")
                    .path(seat(event).path("seat").asText());
            assertThat(facts.at("/commit/commits").asLong()).isPositive();
            assertThat(facts.at("/terms/0/node").asText()).isEqualTo("n1");
            assertThat(facts.path("milestones").toString()).contains("OPENED");
        }
    }

    @Test
    void aPageThatComesBackIsToldOnlyWhatItMissed() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            await().atMost(Duration.ofSeconds(20)).until(() -> "n1".equals(cluster.leader()));
            long height = TestCluster.json(cluster.post("n1", "/submit", "hello"))
                    .path("height")
                    .asLong();

            JsonNode event = event(
                    request(cluster, "/console/events")
                            .header("Last-Event-ID", Long.toString(height - 1))
                            .build(),
                    at -> at.path("blocks").size() > 0);

            assertThat(event.at("/blocks/0/height").asLong()).isEqualTo(height);
        }
    }
}
