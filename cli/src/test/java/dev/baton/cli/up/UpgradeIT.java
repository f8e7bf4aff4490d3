package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rolling upgrade of real processes on real Raft, through {@code ./baton} alone. */
class UpgradeIT {

    @Test
    void everyNodeIsRestartedTheHolderLastAndTheAuditTellsOfStopsAndStarts(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--json")) {
            up.awaitLine(line -> line.path("height").asLong() == 3);
            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                    assertThat(node.path("ready").asBoolean()).isTrue();
                }
            });
            String holder =
                    RunningUp.ask(data, "status", "--leader").path("leader").asText();
            List<Long> before = pids(data);
            JsonNode plan = RunningUp.ask(data, "upgrade", "--dry-run");
            assertThat(plan.path("order").get(2).asText()).isEqualTo(holder);
            assertThat(pids(data)).isEqualTo(before);

            JsonNode done = RunningUp.ask(data, "upgrade");

            assertThat(done.path("order")).hasSize(3);
            assertThat(pids(data)).doesNotContainAnyElementsOf(before);
            // How many slots a busy machine misses is for the command to count; the lease must not have run out.
            assertThat(done.path("worstGapMillis").asLong())
                    .as(done.toString())
                    .isPositive()
                    .isLessThan(3000);

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
                JsonNode records = RunningUp.ask(data, "audit", "list").path("records");
                assertThat(records)
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

    private static List<Long> pids(Path data) throws Exception {
        List<Long> pids = new ArrayList<>();
        for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
            pids.add(node.path("pid").asLong());
        }
        return pids;
    }
}
