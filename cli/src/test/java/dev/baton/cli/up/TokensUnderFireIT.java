package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.cluster.ClusterFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 32 callers ask for tokens while holders are killed, frozen and replaced; then what they got is judged: INV-12, INV-13,
 * INV-14.
 */
class TokensUnderFireIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @ParameterizedTest
    @ValueSource(strings = {"raft", "redis", "etcd", "nats"})
    void noTokenIsHandedOutTwiceAndAllAreInOrder(String authority, @TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Path strict = folder.resolve("strict.jsonl");
        Path leased = folder.resolve("leased.jsonl");
        try (RunningUp up = RunningUp.start(
                data, "up", "--duty", "tokens", "--authority", authority, "--interval", "200ms", "--json")) {
            up.awaitLine(line -> line.path("token").asLong() >= 2);
            RunningUp.ask(data, "tokens", "create", "click", "--leased");
            Process first = hammer(data, "voucher", strict);
            Process second = hammer(data, "click", leased);
            try {
                awaitRanges(strict, 100);
                awaitRanges(leased, 100);
                String killed = awaitLeader(data, "");
                RunningUp.ask(data, "crash", killed);
                String frozen = awaitLeader(data, killed);
                awaitRanges(strict, rangesIn(strict) + 100);
                freezeUntilReplaced(data, frozen);
                awaitRanges(strict, rangesIn(strict) + 100);
                awaitAllReady(data);
                RunningUp.ask(data, "handoff", "--to", another(data, awaitLeader(data, "")));
                awaitRanges(strict, rangesIn(strict) + 100);
                awaitRanges(leased, rangesIn(leased) + 100);
            } finally { // they log what was answered; what is under way is not judged
                first.destroy();
                second.destroy();
                first.waitFor();
                second.waitFor();
            }
            JsonNode verdict = RunningUp.ask(data, "tokens", "verify", strict.toString(), leased.toString());
            assertThat(verdict.path("verdict").asText()).as(verdict.toString()).isEqualTo("PASS");
            assertThat(verdict.path("ranges").asLong()).isGreaterThan(500);
            assertThat(verdict.path("leasedOrderViolations").asLong())
                    .as(verdict.toString())
                    .isZero();
            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            JsonNode end = up.lines().getLast();
            assertThat(end.path("repeats").asLong()).isZero();
            assertThat(end.path("terms").asLong()).isGreaterThanOrEqualTo(4);
        }
    }

    private static Process hammer(Path data, String namespace, Path log) throws Exception {
        return RunningUp.start(
                        data,
                        "tokens",
                        "hammer",
                        namespace,
                        "--clients",
                        "16",
                        "--for",
                        "10m",
                        "--within",
                        "60s",
                        "--log",
                        log.toString(),
                        "--json")
                .process();
    }

    private static long rangesIn(Path log) throws Exception {
        if (!Files.exists(log)) {
            return 0;
        }
        try (var lines = Files.lines(log)) {
            return lines.count();
        }
    }

    private static void awaitRanges(Path log, long wanted) {
        await().atMost(PATIENCE).until(() -> rangesIn(log) >= wanted);
    }

    private static String awaitLeader(Path data, String other) {
        return await().atMost(PATIENCE)
                .ignoreExceptions() // nobody leads for a moment
                .until(
                        () -> RunningUp.ask(data, "status", "--leader")
                                .path("leader")
                                .asText(),
                        leader -> !leader.isEmpty() && !leader.equals(other));
    }

    private static void freezeUntilReplaced(Path data, String node) throws Exception {
        long pid =
                ClusterFile.read(data).orElseThrow().member(node).orElseThrow().pid();
        signal("-STOP", pid);
        try {
            awaitLeader(data, node);
        } finally {
            signal("-CONT", pid);
        }
    }

    private static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static String another(Path data, String than) throws Exception {
        JsonNode nodes = RunningUp.ask(data, "status").path("nodes");
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(node -> node.path("node").asText())
                .filter(node -> !node.equals(than))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitAllReady(Path data) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                assertThat(node.path("ready").asBoolean()).as(node.toString()).isTrue();
            }
        });
    }
}
