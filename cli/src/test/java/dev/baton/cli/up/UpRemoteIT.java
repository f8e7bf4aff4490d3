package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with a sequencer process beside each, through {@code ./baton} alone. */
class UpRemoteIT {

    @Test
    void theHolderIsKilledAndTheBlocksInTheLedgerGoOn(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--duty", "remote", "--interval", "200ms", "--json")) {
            up.awaitLine(line -> line.path("height").asLong() >= 3);
            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                    assertThat(node.path("ready").asBoolean())
                            .as(node.toString())
                            .isTrue();
                }
            });
            String leader =
                    RunningUp.ask(data, "status", "--leader").path("leader").asText();
            long epoch = up.lines().stream()
                    .mapToLong(line -> line.path("epoch").asLong())
                    .max()
                    .orElse(0);
            RunningUp.ask(data, "crash", leader);
            up.awaitLine(line -> line.path("epoch").asLong() > epoch);

            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            assertThat(up.lines().getLast().path("verdict").asText()).isEqualTo("PASS");
            assertThat(up.lines().getLast().path("terms").asLong()).isGreaterThanOrEqualTo(2);
            assertThat(RunningUp.leftovers(data)).isEmpty();
        }
    }
}
