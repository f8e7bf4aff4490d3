package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lease profile: one active, one standby, the seat elsewhere. */
class TwoNodesIT {

    private static boolean isReady(Path data) throws Exception {
        List<JsonNode> nodes =
                RunningUp.ask(data, "status").path("nodes").valueStream().toList();
        return nodes.size() == 2
                && nodes.stream().allMatch(node -> node.path("ready").asBoolean());
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "etcd"})
    void theStandbyGoesOnWhereTheActiveNodeWasKilled(String authority, @TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(
                data, "up", "--nodes", "2", "--authority", authority, "--interval", "200ms", "--json")) {
            up.awaitLine(line -> line.path("height").asLong() >= 2);
            await().atMost(RunningUp.PATIENCE).until(() -> isReady(data));
            String active =
                    RunningUp.ask(data, "status", "--leader").path("leader").asText();
            long epoch = up.lines().getLast().path("epoch").asLong();
            RunningUp.ask(data, "crash", active);
            up.awaitLine(line -> line.path("epoch").asLong() > epoch);
            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            JsonNode verdict = up.lines().getLast(); // no gap, no fork
            assertThat(verdict.path("verdict").asText()).as(verdict.toString()).isEqualTo("PASS");
        }
    }
}
