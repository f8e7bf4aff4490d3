package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.ClusterFile;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every query of the dashboard and of the alerts, asked of a real Prometheus that scrapes real nodes and a proxy. */
class DashboardIT {

    private static final Path DOCS = Path.of("..", "docs");

    private final HttpClient client = HttpClient.newHttpClient();

    private static List<String> queries() throws IOException {
        JsonNode dashboard = Json.parse(Files.readString(DOCS.resolve("dashboards/baton.json")))
                .orElseThrow();
        List<String> found = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                found.add(target.path("expr").asText().replace("$seat", ".*"));
            }
        }
        return found;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean hasAnswer(int port, String query) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/query?query="
                                + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(query + " " + response.body()).isIn(200, 503);
        return Json.parse(response.body())
                .filter(answer -> !answer.path("data").path("result").isEmpty())
                .isPresent();
    }

    @Test
    void everyQueryOfTheDashboardHasAnAnswer(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--interval", "200ms", "--json")) {
            up.awaitLine(line -> line.path("height").asLong() >= 2);
            // Not closed as such: that waits until nothing of the folder runs, and the cluster does.
            RunningUp proxy = RunningUp.start(data, "proxy", "--http", "127.0.0.1:0", "--json");
            try {
                proxy.awaitLine(line -> line.has("health"));
                List<String> targets = ClusterFile.read(data).orElseThrow().nodes().stream()
                        .map(member -> "127.0.0.1:" + member.ports().http())
                        .collect(Collectors.toCollection(ArrayList::new));
                targets.add(proxy.lines().getFirst().path("health").asText());
                int port = freePort();
                Process prometheus = prometheus(folder, port, targets);
                try {
                    await().atMost(RunningUp.PATIENCE).ignoreExceptions().untilAsserted(() -> {
                        TreeSet<String> without = new TreeSet<>();
                        for (String query : queries()) {
                            if (!hasAnswer(port, query)) {
                                without.add(query);
                            }
                        }
                        assertThat(without).isEmpty();
                    });
                } finally {
                    prometheus.destroyForcibly().waitFor();
                }
            } finally {
                proxy.process().destroyForcibly();
            }
        }
        assertThat(queries()).hasSizeGreaterThan(20);
    }

    private static Process prometheus(Path folder, int port, List<String> targets) throws IOException {
        Path config = folder.resolve("prometheus.yml");
        Files.writeString(
                config,
                "global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: baton\n    static_configs:\n"
                        + "      - targets: ["
                        + targets.stream().map(it -> "\"" + it + "\"").collect(Collectors.joining(", "))
                        + "]\n");
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }
}
