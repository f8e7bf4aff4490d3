package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster of real processes on a real etcd or real NATS servers, through {@code ./baton} alone. */
class UpOnServersIT {

    private static long heightOf(JsonNode line) {
        return line.path("height").asLong();
    }

    private static void awaitMore(RunningUp up, int blocks) throws IOException {
        long top = up.lines().stream().mapToLong(UpOnServersIT::heightOf).max().orElse(0);
        up.awaitLine(line -> heightOf(line) >= top + blocks);
    }

    private static void crashLeader(RunningUp up, Path data) throws Exception {
        String leader = await().atMost(RunningUp.PATIENCE)
                .until(
                        () -> RunningUp.ask(data, "status", "--leader")
                                .path("leader")
                                .asText(""),
                        name -> !name.isEmpty());
        long epoch = up.lines().getLast().path("epoch").asLong();
        RunningUp.ask(data, "crash", leader);
        up.awaitLine(line -> line.path("epoch").asLong() > epoch);
        awaitMore(up, 3);
    }

    private static void awaitAllReady(Path data) {
        await().atMost(RunningUp.PATIENCE).untilAsserted(() -> {
            for (JsonNode node : RunningUp.ask(data, "status").path("nodes")) {
                assertThat(node.path("ready").asBoolean()).as(node.toString()).isTrue();
            }
        });
    }

    private static void expectGoodEnd(RunningUp up, Path data) throws Exception {
        assertThat(up.exitCode()).as(up.errors()).isZero();
        assertThat(up.lines().getLast().path("verdict").asText()).isEqualTo("PASS");
        assertThat(up.lines().getLast().path("terms").asLong()).isGreaterThanOrEqualTo(2);
        assertThat(RunningUp.leftovers(data)).isEmpty();
    }

    private static long pidOf(Path data, String server) throws Exception {
        return ClusterFile.read(data)
                .orElseThrow()
                .ownServer(server)
                .orElseThrow()
                .pid();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd", "nats"})
    void aServerAndThenTheLeaderDieAndBlocksGoOnAndASecondUpResumes(String authority, @TempDir Path folder)
            throws Exception {
        String second = authority + "-2";
        Path data = folder.resolve("data");
        JsonNode last;
        try (RunningUp up = RunningUp.start(data, "up", "--authority", authority, "--interval", "200ms", "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);
            long firstPid = pidOf(data, second);
            RunningUp.ask(data, "crash", second);
            awaitMore(up, 5);
            await().atMost(RunningUp.PATIENCE).until(() -> pidOf(data, second) != firstPid);

            crashLeader(up, data);

            up.process().destroy();
            expectGoodEnd(up, data);
            last = up.lines().get(up.lines().size() - 2);
        }
        try (RunningUp again = RunningUp.start(data, "up", "--interval", "200ms", "--json")) {
            again.awaitLine(line -> heightOf(line) > heightOf(last));
            assertThat(RunningUp.ask(data, "blocks", "show", Long.toString(heightOf(last)))
                            .path("hash"))
                    .as("what the first one said last stands where it stood")
                    .isEqualTo(last.path("hash"));

            again.process().destroyForcibly(); // nothing outlives it, its servers neither
            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.leftovers(data)).isEmpty());
        }
    }

    @Test
    void runningEtcdMembersAreUsedAndLeftRunning(@TempDir Path folder) throws Exception {
        try (EtcdServers etcd = EtcdServers.start(3, folder.resolve("etcd"))) {
            upOn("--etcd", etcd.addresses(), folder.resolve("data"));

            assertThat(etcd.ctl("get", "--prefix", "/baton/dev/1/blocks/now/", "--keys-only"))
                    .contains("/baton/dev/1/blocks/now/head");
        }
    }

    @Test
    void runningNatsServersAreUsedAndLeftRunning(@TempDir Path folder) throws Exception {
        try (NatsServers nats = NatsServers.start(3, folder.resolve("nats"))) {
            upOn("--nats", nats.addresses(), folder.resolve("data"));

            assertThat(nats.streams()).contains("baton_dev_1_blocks");
        }
    }

    /** Two nodes on servers that run already, until one leader was lost and the next has made blocks. */
    private static void upOn(String option, List<String> servers, Path data) throws Exception {
        try (RunningUp up = RunningUp.start(
                data, "up", option, String.join(",", servers), "--nodes", "2", "--interval", "200ms", "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);

            crashLeader(up, data);

            up.process().destroy();
            expectGoodEnd(up, data);
        }
    }
}
