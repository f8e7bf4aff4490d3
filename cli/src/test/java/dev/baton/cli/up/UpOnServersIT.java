package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes on a real etcd, through {@code ./baton} alone. */
class UpEtcdIT {

    private static long heightOf(JsonNode line) {
        return line.path("height").asLong();
    }

    private static void awaitMore(RunningUp up, int blocks) throws IOException {
        long top = up.lines().stream().mapToLong(UpEtcdIT::heightOf).max().orElse(0);
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

    @Test
    void anEtcdMemberAndThenTheLeaderDieAndBlocksGoOnAndASecondUpResumes(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        long top;
        try (RunningUp up = RunningUp.start(data, "up", "--authority", "etcd", "--interval", "200ms", "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);
            long firstPid = pidOf(data, "etcd-2");
            RunningUp.ask(data, "crash", "etcd-2");
            awaitMore(up, 5);
            await().atMost(RunningUp.PATIENCE).until(() -> pidOf(data, "etcd-2") != firstPid);

            crashLeader(up, data);

            up.process().destroy();
            expectGoodEnd(up, data);
            top = heightOf(up.lines().get(up.lines().size() - 2));
        }
        try (RunningUp again = RunningUp.start(data, "up", "--interval", "200ms", "--json")) {
            again.awaitLine(line -> heightOf(line) > top);
            assertThat(heightOf(again.lines().getFirst())).isEqualTo(top + 1);

            again.process().destroyForcibly(); // nothing outlives it, its etcd members neither
            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.leftovers(data)).isEmpty());
        }
    }

    @Test
    void runningMembersAreUsedAndLeftRunning(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (EtcdServers etcd = EtcdServers.start(3, folder.resolve("etcd"));
                RunningUp up = RunningUp.start(
                        data,
                        "up",
                        "--etcd",
                        String.join(",", etcd.addresses()),
                        "--nodes",
                        "2",
                        "--interval",
                        "200ms",
                        "--json")) {
            up.awaitLine(line -> heightOf(line) == 2);
            awaitAllReady(data);

            crashLeader(up, data);

            up.process().destroy();
            expectGoodEnd(up, data);
            assertThat(etcd.ctl("get", "--prefix", "/baton/dev/1/blocks/now/", "--keys-only"))
                    .contains("/baton/dev/1/blocks/now/head");
        }
    }
}
