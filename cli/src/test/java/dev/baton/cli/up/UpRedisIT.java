package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes on real Redis nodes, through {@code ./baton} alone. */
class UpRedisIT {

    private static long heightOf(JsonNode line) {
        return line.path("height").asLong();
    }

    private static long top(RunningUp up) throws IOException {
        return up.lines().stream().mapToLong(UpRedisIT::heightOf).max().orElse(0);
    }

    private static void awaitMore(RunningUp up, int blocks) throws IOException {
        long wanted = top(up) + blocks;
        up.awaitLine(line -> heightOf(line) >= wanted);
    }

    private static void awaitAllReady(Path data) {
        await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
            for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                assertThat(node.path("ready").asBoolean()).as(node.toString()).isTrue();
            }
        });
    }

    private static List<JsonNode> redisNodes(Path data) throws IOException, InterruptedException {
        List<JsonNode> nodes = new ArrayList<>();
        RunningUp.ask(data, "nodes").path("seats").path(0).path("nodes").forEach(nodes::add);
        return nodes;
    }

    private static String memberAt(Path data, String address) throws IOException, InterruptedException {
        return redisNodes(data).stream()
                .filter(node -> node.path("address").asText().equals(address))
                .map(node -> node.path("member").asText(""))
                .findFirst()
                .orElse("");
    }

    private static void expectGoodEnd(RunningUp up, Path data) throws Exception {
        assertThat(up.exitCode()).as(up.errors()).isZero();
        assertThat(up.lines().getLast().path("verdict").asText()).isEqualTo("PASS");
        assertThat(RunningUp.leftovers(data)).isEmpty();
    }

    @Test
    void aRedisAndThenTheLeaderDieAndBlocksGoOnAndASecondUpResumes(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        long top;
        try (RunningUp up = RunningUp.start(data, "up", "--authority", "redis", "--interval", "200ms", "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);
            long firstPid = redisPid(data, "redis-2");
            RunningUp.ask(data, "crash", "redis-2");
            awaitMore(up, 5);
            await().atMost(RunningUp.PATIENCE).until(() -> redisPid(data, "redis-2") != firstPid);

            String crashed =
                    RunningUp.ask(data, "status", "--leader").path("leader").asText();
            long epoch = up.lines().getLast().path("epoch").asLong();
            RunningUp.ask(data, "crash", crashed);
            up.awaitLine(line -> line.path("epoch").asLong() > epoch);
            awaitMore(up, 3);

            up.process().destroy();
            expectGoodEnd(up, data);
            assertThat(up.lines().getLast().path("terms").asLong()).isGreaterThanOrEqualTo(2);
            top = heightOf(up.lines().get(up.lines().size() - 2));
        }
        try (RunningUp again = RunningUp.start(data, "up", "--interval", "200ms", "--json")) {
            again.awaitLine(line -> heightOf(line) > top);
            assertThat(heightOf(again.lines().getFirst())).isEqualTo(top + 1);

            again.process().destroyForcibly(); // nothing outlives it, its Redis nodes neither
            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.leftovers(data)).isEmpty());
        }
    }

    private static long redisPid(Path data, String name) throws Exception {
        return ClusterFile.read(data)
                .orElseThrow()
                .ownServer(name)
                .orElseThrow()
                .pid();
    }

    /** With everysec a restarted Redis may have forgotten a promise: it comes back as another member, by itself. */
    @Test
    void everyRedisUnderEverysecIsRestartedInTurnWhileBlocksGoOn(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RedisServers servers = RedisServers.start(3, folder, setup -> setup.appendfsync("everysec"));
                RedisServer fourth = RedisServer.in(folder.resolve("fourth")).start()) {
            String addresses = String.join(",", servers.addresses());
            RunningUp unfounded = RunningUp.start(data, "up", "--redis", addresses, "--json");
            assertThat(unfounded.exitCode()).isEqualTo(Exit.ENGINE.number());
            assertThat(unfounded.errors()).contains("is kept nowhere", "--init");

            try (RunningUp up = RunningUp.start(
                    data,
                    "up",
                    "--redis",
                    addresses,
                    "--init",
                    "--nodes",
                    "2",
                    "--interval",
                    "200ms",
                    "--json",
                    "--fresh",
                    "--yes")) {
                up.awaitLine(line -> heightOf(line) == 2);
                for (RedisServer server : servers.all()) {
                    String before = memberAt(data, server.address());
                    server.restart();
                    await().atMost(RunningUp.PATIENCE)
                            .untilAsserted(() -> assertThat(memberAt(data, server.address()))
                                    .isNotEmpty()
                                    .isNotEqualTo(before));
                }
                awaitMore(up, 3);

                RunningUp.ask(data, "nodes", "replace", servers.get(0).address(), fourth.address());
                assertThat(memberAt(data, fourth.address())).isNotEmpty();
                assertThat(memberAt(data, servers.get(0).address())).isEmpty();
                servers.get(0).kill();
                awaitMore(up, 3);

                up.process().destroy();
                expectGoodEnd(up, data);
                assertThat(fourth.isRunning()).isTrue();
            }
        }
    }
}
