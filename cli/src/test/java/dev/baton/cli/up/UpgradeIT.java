package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.Reply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rolling upgrade of real processes on real Raft, through {@code ./baton} alone, while clients submit. */
class UpgradeIT {

    /** A slot is missed after one and a half of them: long enough for a machine that is busy with other things. */
    private static final String INTERVAL = "1500ms";

    private static final int CLIENTS = 8;

    private final NodeClient client = new NodeClient(Duration.ofSeconds(5));
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger acknowledged = new AtomicInteger();

    @Test
    void everyNodeIsRestartedTheHolderLastWithoutAMissedSlotAndTheAuditHoldsItAll(@TempDir Path folder)
            throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--json", "--interval", INTERVAL)) {
            up.awaitLine(line -> line.path("height").asLong() == 2);
            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                    assertThat(node.path("ready").asBoolean()).isTrue();
                }
            });
            List<Long> before = pids(data);
            JsonNode plan = RunningUp.ask(data, "upgrade", "--dry-run");
            assertThat(plan.path("order").get(2).asText())
                    .isEqualTo(RunningUp.ask(data, "status", "--leader")
                            .path("leader")
                            .asText());
            assertThat(pids(data)).isEqualTo(before);

            JsonNode done;
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<?>> submitting = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String name = "client " + i;
                    submitting.add(clients.submit(() -> submitUntilEnough(data, name)));
                }
                done = upgrade(data);
                enough.set(true);
                for (Future<?> one : submitting) {
                    one.get();
                }
            }

            assertThat(acknowledged.get()).isPositive();
            assertThat(done.path("order")).hasSize(3);
            assertThat(pids(data)).doesNotContainAnyElementsOf(before);
            assertThat(done.path("slotsMade").asLong()).as(done.toString()).isGreaterThan(5);
            assertThat(done.path("missedSlots").asLong()).as(done.toString()).isZero();
            // The seat moves once, if it does not move by itself; whatever was handed over stands in the audit.
            assertThat(done.path("handoffs").size()).isLessThanOrEqualTo(1);
            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                List<String> outcomes = records(data).stream()
                        .filter(found -> found.path("call").asText().equals("handoff"))
                        .map(found -> found.path("outcome").asText())
                        .toList();
                assertThat(Collections.frequency(outcomes, "OK"))
                        .isEqualTo(done.path("handoffs").size());
                assertThat(Collections.frequency(outcomes, "BEGUN") * 2)
                        .as("each has an outcome")
                        .isEqualTo(outcomes.size());
            });

            String stopped =
                    RunningUp.ask(data, "status", "--leader").path("leader").asText();
            assertThat(RunningUp.ask(data, "control", "stop", stopped, "--reason", "test")
                            .path("stopped")
                            .asBoolean())
                    .isTrue();
            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.ask(data, "control", "status", stopped)
                                    .path("holder")
                                    .asText())
                            .isNotEqualTo(stopped)
                            .isNotEmpty());
            assertThat(RunningUp.ask(data, "control", "start", stopped)
                            .path("activated")
                            .asBoolean())
                    .isFalse();

            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                assertThat(records(data))
                        .extracting(found -> found.path("call").asText())
                        .contains("StopSequencer", "StartSequencer");
            });
            assertThat(RunningUp.ask(data, "audit", "verify").path("verdict").asText())
                    .isEqualTo("PASS");
            Path book = data.resolve("n1").resolve("control").resolve("audit.log");
            byte[] bytes = Files.readAllBytes(book);
            bytes[bytes.length / 2] ^= 1;
            Files.write(book, bytes);
            RunningUp verify = RunningUp.start(data, "audit", "verify", "--json");
            assertThat(verify.exitCode()).isEqualTo(1);

            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            assertThat(up.lines().getLast().path("verdict").asText()).isEqualTo("PASS");
        }
    }

    /** It waits for gates, so it may take longer than other commands. */
    private static JsonNode upgrade(Path data) throws Exception {
        RunningUp command = RunningUp.start(data, "upgrade", "--json");
        assertThat(command.process().waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(command.exitCode()).as(command.errors()).isZero();
        return command.lines().getLast();
    }

    private static List<JsonNode> records(Path data) throws Exception {
        return RunningUp.ask(data, "audit", "list")
                .path("records")
                .valueStream()
                .toList();
    }

    /** At one node after the other; who is being restarted cannot answer, and the next one is asked. */
    private Void submitUntilEnough(Path data, String name) throws Exception {
        for (int number = 0; !enough.get(); number++) {
            for (ClusterFile.Member member :
                    ClusterFile.read(data).orElseThrow().nodes()) {
                Reply reply = client.post(
                        URI.create("http://127.0.0.1:" + member.ports().http()),
                        "/submit",
                        (name + " at " + member.node() + " " + number).getBytes(StandardCharsets.UTF_8),
                        Duration.ofSeconds(5));
                if (reply instanceof Reply.Answered) {
                    acknowledged.incrementAndGet();
                }
            }
        }
        return null;
    }

    private static List<Long> pids(Path data) throws Exception {
        List<Long> pids = new ArrayList<>();
        for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
            pids.add(node.path("pid").asLong());
        }
        return pids;
    }
}
