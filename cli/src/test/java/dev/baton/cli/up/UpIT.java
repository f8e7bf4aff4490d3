package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes on real Raft, through {@code ./baton} alone. */
class UpIT {

    private static long heightOf(JsonNode line) {
        return line.path("height").asLong();
    }

    @Test
    void aTimedRunPrintsEveryBlockThenTheVerdictAndLeavesNothingRunning(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--for", "20s", "--interval", "250ms", "--json")) {
            assertThat(up.exitCode()).as(up.errors()).isZero();

            assertThat(RunningUp.leftovers(data)).isEmpty();
            List<JsonNode> lines = up.lines();
            JsonNode verdict = lines.getLast();
            long blocks = lines.size() - 1L;
            assertThat(blocks).isPositive();
            assertThat(Json.line(verdict))
                    .isEqualTo("{\"verdict\":\"PASS\",\"blocks\":" + blocks + ",\"forks\":0,\"gaps\":0,\"terms\":"
                            + verdict.path("terms").asLong() + "}");
            for (int i = 0; i < blocks; i++) {
                assertThat(heightOf(lines.get(i))).isEqualTo(i + 1);
            }
            assertThat(lines.getFirst().fieldNames())
                    .toIterable()
                    .containsExactly("height", "hash", "epoch", "node", "transactions", "timeMillis");
        }
    }

    @Test
    void aCrashedLeaderIsReplacedAndRejoinsAndASecondUpResumes(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        long top;
        try (RunningUp up = RunningUp.start(data, "up", "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data); // else the two that are left might be no majority yet
            String crashed = leader(data);
            long epoch = up.lines().getLast().path("epoch").asLong();
            RunningUp.ask(data, "crash", crashed);

            up.awaitLine(line -> line.path("epoch").asLong() > epoch);
            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                JsonNode node = nodeOf(RunningUp.ask(data, "status"), crashed);
                assertThat(node.path("standing").asText())
                        .as("standing of %s after its crash in epoch %d; blocks seen: %s", crashed, epoch, up.lines())
                        .isEqualTo("FOLLOWER");
                assertThat(node.path("ready").asBoolean()).isTrue();
            });
            assertThat(RunningUp.ask(data, "history").path("terms").size()).isGreaterThanOrEqualTo(2);
            assertThat(RunningUp.ask(data, "submit", "a transaction")
                            .path("height")
                            .asLong())
                    .isPositive();
            refuseASecondUp(data, up.process().pid());

            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            JsonNode verdict = up.lines().getLast();
            assertThat(verdict.path("verdict").asText()).isEqualTo("PASS");
            assertThat(verdict.path("terms").asLong()).isGreaterThanOrEqualTo(2);
            assertThat(RunningUp.leftovers(data)).isEmpty();
            top = heightOf(up.lines().get(up.lines().size() - 2));
        }
        try (RunningUp again = RunningUp.start(data, "up", "--json")) {
            again.awaitLine(line -> heightOf(line) > top);
            assertThat(heightOf(again.lines().getFirst())).isEqualTo(top + 1);
        }
    }

    private static void awaitAllReady(Path data) {
        await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
            for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                assertThat(node.path("ready").asBoolean()).isTrue();
            }
        });
    }

    private static String leader(Path data) throws IOException, InterruptedException {
        return RunningUp.ask(data, "status", "--leader").path("leader").asText();
    }

    private static JsonNode nodeOf(JsonNode status, String name) {
        for (JsonNode node : status.path("nodes")) {
            if (node.path("node").asText().equals(name)) {
                return node;
            }
        }
        throw new IllegalArgumentException(name + " is not in " + status);
    }

    private static void refuseASecondUp(Path data, long pid) throws Exception {
        // Not closed as the others are: that waits until nothing runs on the folder, and the first still does.
        RunningUp second = RunningUp.start(data, "up", "--json");
        assertThat(second.exitCode()).isEqualTo(Exit.DATA_FOLDER.number());
        assertThat(second.errors()).contains("is in use by another up, process " + pid);
    }

    @Test
    void aMemberThatLostItsDiskComesBackUnderANewPeerId(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--json", "--interval", "200ms")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);
            String wiped = leader(data).equals("n1") ? "n2" : "n1";
            Files.move(data.resolve(wiped).resolve("raft"), folder.resolve("lost"));
            long lostAt = heightOf(up.lines().getLast());

            RunningUp.ask(data, "crash", wiped);

            await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
                JsonNode node = nodeOf(RunningUp.ask(data, "status"), wiped);
                assertThat(node.path("ready").asBoolean()).isTrue();
                assertThat(node.path("height").asLong()).isGreaterThan(lostAt);
            });
            RunningUp.ask(data, "handoff", "--to", wiped);
            assertThat(leader(data)).isEqualTo(wiped);
        }
    }

    @Test
    void nothingOutlivesAnUpThatWasKilled(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--json")) {
            up.awaitLine(line -> heightOf(line) == 1);
            assertThat(RunningUp.leftovers(data)).hasSize(4);

            up.process().destroyForcibly();

            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.leftovers(data)).isEmpty());
        }
        assertThat(Files.readString(data.resolve("cluster.json"))).contains("\"begun\" : true");
    }
}
