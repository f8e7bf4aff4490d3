package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.node.config.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private static final String IDS = """
              - name: ids
                duty: tokens
                pulse: {interval: 100ms, timeout: 500ms}
                takeover: {delay: 1500ms}
                tokens: {listen: "127.0.0.1:0"}
            """;

    /** Whatever the duty: its terms and its entries are shown, and they are as they are in the ledger. */
    @Test
    void aDutyWithoutBlocksHasTermsAndALedger() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start(
                    "n1",
                    yaml -> yaml.substring(0, yaml.indexOf("seats:\n")) + "seats:\n" + IDS
                            + yaml.substring(yaml.indexOf("peers:\n", yaml.indexOf("seats:\n"))));

            // The first picture tells of all that is there, later ones of what is new; so each look is a reader of its
            // own.
            JsonNode event = await().atMost(Duration.ofSeconds(40))
                    .until(
                            () -> event(request(cluster, "/console/events").build(), first -> true),
                            first -> first.at("/state/nodes/n1/seats/ids/terms").size() > 0
                                    && first.path("blocks").size() > 1);

            JsonNode facts = event.at("/state/nodes/n1/seats/ids");
            assertThat(facts.at("/terms/0/node").asText()).isEqualTo("n1");
            assertThat(facts.at("/terms/0/firstHeight").asLong()).isEqualTo(1);
            assertThat(facts.path("namespaceCount").asInt(-1)).isZero();
            JsonNode first = event.at("/blocks/0");
            JsonNode second = event.at("/blocks/1");
            assertThat(second.path("height").asLong())
                    .isEqualTo(first.path("height").asLong() + 1);
            assertThat(second.path("parent").asText())
                    .isEqualTo(first.path("hash").asText());
            assertThat(second.path("bytes").isNumber()).isTrue();
            assertThat(second.has("transactions")).isFalse();
        }
    }

    @Test
    void aPeerIsToldOfAtEachOfItsSeats() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            for (String name : List.of("n1", "n2")) {
                cluster.start(name, yaml -> yaml.replace("seats:\n", "seats:\n" + IDS));
            }
            await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
                JsonNode peer = TestCluster.json(cluster.get("n1", "/status")).at("/peers/0");
                assertThat(peer.path("node").asText()).isEqualTo("n2");
                assertThat(peer.path("seats").findValuesAsText("seat")).containsExactly("ids", "blocks");
                assertThat(peer.at("/seats/1/height").asLong())
                        .as("of blocks, which is not its first seat")
                        .isPositive();
                assertThat(peer.at("/seats/1/standing").asText()).isNotEmpty();
            });
        }
    }

    private static String raw(String address, String path, String host) throws IOException {
        HostPort at = HostPort.parse(address);
        try (Socket socket = new Socket(at.host(), at.port())) {
            String request = "HEAD " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.substring(0, answer.indexOf("\r\n"));
        }
    }

    /** A foreign page whose name was made to resolve to this machine reads nothing, and least of all the audit. */
    @Test
    void aNameThatWasMadeToPointHereIsRefused() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            Node node = cluster.start("n1");
            for (String address : List.of(node.ownHttpAddress(), node.adminAddress())) {
                for (String host :
                        List.of("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil")) {
                    assertThat(raw(address, "/console/events", host)).as(host).contains(" 403 ");
                }
                for (String host : List.of("localhost", "LOCALHOST:1", "127.0.0.1:7000", "[::1]:7000")) {
                    assertThat(raw(address, "/console/events", host)).as(host).contains(" 200 ");
                }
            }
            assertThat(raw(node.adminAddress(), "/members", "evil.example")).contains(" 403 ");
            assertThat(raw(node.ownHttpAddress(), "/status", "baton.example"))
                    .as("what a proxy passes on under its own name")
                    .contains(" 200 ");
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
