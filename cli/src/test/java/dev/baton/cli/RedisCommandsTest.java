package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about Redis nodes. */
class RedisCommandsTest {

    @TempDir
    Path folder;

    private String config(String authority) throws IOException {
        return Files.writeString(
                        folder.resolve("node.yaml"),
                        "cluster: demo\nnode: n1\ndata: n1\nauthority: " + authority
                                + "\nseats: [{name: blocks, duty: sequencer}]\n")
                .toString();
    }

    @Test
    void initFoundsOnceAndSaysSo() throws IOException {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            String file = config("{kind: redis, nodes: [\"" + String.join("\", \"", servers.addresses()) + "\"]}");

            Cli first = Cli.run("init", "--config", file);
            Cli again = Cli.run("init", "--config", file, "--json");

            assertThat(first.err()).isEmpty();
            assertThat(first.out())
                    .startsWith("demo/blocks@1 is founded on ")
                    .contains(servers.get(2).address());
            assertThat(again.out())
                    .startsWith(
                            "{\"authority\":\"redis\",\"seats\":[{\"seat\":\"blocks\",\"era\":1,\"founded\":false,");
            servers.get(0).kill();
            Cli incomplete = Cli.run("init", "--config", file);
            assertThat(incomplete.code()).isEqualTo(Exit.ENGINE.number());
            assertThat(incomplete.err()).contains("all of them, when a seat is founded");
        }
    }

    @Test
    void initHasNothingToDoOnRaft() throws IOException {
        Cli init = Cli.run("init", "--config", config("{kind: raft, peers: {n1: \"127.0.0.1:7402\"}}"));

        assertThat(init.code()).isZero();
        assertThat(init.out()).startsWith("nothing to do: with authority.kind raft");
    }

    @Test
    void recoverWantsTheNextEraAndRedis() throws IOException {
        String redis = config("{kind: redis, nodes: [\"127.0.0.1:1\"]}");
        Cli wrongEra = Cli.run("recover", "--config", redis, "--era", "1");
        assertThat(wrongEra.code()).isEqualTo(Exit.USAGE.number());
        assertThat(wrongEra.err()).startsWith("baton: --era: 1 (expected: 2, one above the era of blocks");

        Cli unreachable = Cli.run("recover", "--config", redis, "--era", "2", "--yes-raise-era");
        assertThat(unreachable.code()).isEqualTo(Exit.ENGINE.number());
        assertThat(unreachable.err()).contains("may remember demo/blocks@1");

        Cli raft =
                Cli.run("recover", "--config", config("{kind: raft, peers: {n1: \"127.0.0.1:7402\"}}"), "--era", "2");
        assertThat(raft.code()).isEqualTo(Exit.USAGE.number());
        assertThat(raft.err()).contains("authority.kind: raft (expected: redis");
    }

    @Test
    void nodesShowsWhatTheHolderSees(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            String seat =
                    "{\"seat\":\"blocks\",\"era\":1,\"nodes\":[{\"address\":\"a:1\",\"member\":\"0f\",\"height\":7,"
                            + "\"hash\":\"ab\",\"promised\":3,\"trouble\":\"\"},{\"address\":\"b:1\",\"member\":null,"
                            + "\"height\":null,\"hash\":null,\"promised\":null,\"trouble\":\"refused\"}]}";
            cluster.node(2)
                    .answers("/nodes", "{\"node\":\"n2\",\"authority\":\"redis\",\"seats\":[" + seat + "]}")
                    .answers("/nodes/change", seat);

            assertThat(cluster.run("nodes").lines())
                    .containsExactly(
                            "seat blocks, era 1",
                            "SERVER  MEMBER  TIP  PROMISED  TROUBLE",
                            "a:1     0f        7         3",
                            "b:1     -         -         -  refused");
            assertThat(cluster.run("nodes", "replace", "b:1", "c:1").lines().getFirst())
                    .isEqualTo("committed");
            assertThat(cluster.run("nodes", "add", "c:1", "--json").out()).isEqualTo(seat + "\n");
            assertThat(cluster.node(2).requests())
                    .contains("POST /nodes/change?leave=b%3A1&enter=c%3A1 ", "POST /nodes/change?enter=c%3A1 ");
            assertThat(cluster.run("nodes", "remove").code()).isEqualTo(Exit.USAGE.number());
        }
    }

    @Test
    void crashKillsNoProcessThatIsNotTheRedis(@TempDir Path data) throws IOException {
        long stranger = ProcessHandle.current().pid();
        new ClusterFile(
                        "dev",
                        "redis",
                        ClusterFile.SEQUENCER,
                        1,
                        List.of(),
                        Optional.of(new ClusterFile.Servers(
                                ServerKind.REDIS,
                                true,
                                List.of(
                                        new ClusterFile.Server("redis-1", "127.0.0.1:1", 0, stranger, true),
                                        new ClusterFile.Server("h:1", "h:1", 0, 0, false)))))
                .write(data);

        Cli crash = Cli.run("crash", "redis-1", "--data", data.toString());

        assertThat(crash.code()).isEqualTo(Exit.REFUSED.number());
        assertThat(crash.err()).contains("(expected: redis-server ", "nothing was killed");
        assertThat(Cli.run("crash", "h:1", "--data", data.toString()).err())
                .isEqualTo("baton: node: \"h:1\" (expected: one of redis-1)\n");
    }
}
