package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton proxy} before a cluster of real processes. */
class ProxyIT {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private HttpResponse<String> submit(String address, String text) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://" + address + "/submit"))
                        .POST(HttpRequest.BodyPublishers.ofString(text))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Submits one transaction after the other; every answer that is not 200. */
    private List<String> submitUntil(AtomicBoolean done, String address, String name)
            throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        for (int i = 0; !done.get(); i++) {
            HttpResponse<String> response = submit(address, name + "-" + i);
            if (response.statusCode() != 200) {
                failures.add(response.statusCode() + " " + response.body());
            }
        }
        return failures;
    }

    @Test
    void clientsNoticeNeitherAHandoffNorAKilledHolder(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--interval", "100ms", "--json")) {
            up.awaitLine(line -> line.path("height").asLong() >= 2);
            // Not closed as such: that waits until nothing of the folder runs, and the cluster does.
            RunningUp proxy = RunningUp.start(data, "proxy", "--http", "127.0.0.1:0", "--patience", "60s", "--json");
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                proxy.awaitLine(line -> line.has("http"));
                JsonNode addresses = proxy.lines().getFirst();
                String http = addresses.path("http").asText();
                AtomicBoolean done = new AtomicBoolean();
                List<Future<List<String>>> clients = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    String name = "c" + i;
                    clients.add(threads.submit(() -> submitUntil(done, http, name)));
                }
                String leader =
                        RunningUp.ask(data, "status", "--leader").path("leader").asText();
                String target = leader.equals("n1") ? "n2" : "n1";
                await().atMost(RunningUp.PATIENCE).until(() -> allReady(data));
                RunningUp.ask(data, "handoff", "--to", target);
                await().atMost(RunningUp.PATIENCE)
                        .until(() -> submit(http, "after-handoff")
                                .headers()
                                .firstValue("X-Baton-Served-By")
                                .orElse("")
                                .equals(target));
                RunningUp.ask(data, "crash", target);
                await().atMost(RunningUp.PATIENCE)
                        .until(() -> !submit(http, "after-kill")
                                .headers()
                                .firstValue("X-Baton-Served-By")
                                .orElse(target)
                                .equals(target));
                done.set(true);
                for (Future<List<String>> one : clients) {
                    assertThat(one.get()).isEmpty();
                }
                assertThat(submit(http, "after-kill").body()).contains("\"duplicate\":true");

                proxy.process().destroy();
                assertThat(proxy.process().waitFor()).isEqualTo(143); // SIGTERM
            } finally {
                proxy.process().destroyForcibly();
            }
            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
        }
    }

    private static boolean allReady(Path data) throws Exception {
        return RunningUp.ask(data, "status")
                .path("nodes")
                .valueStream()
                .allMatch(node -> node.path("ready").asBoolean());
    }
}
