package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that change something. */
class SteeringTest {

    private static final String COMMITTED = "{\"height\":8,\"index\":0,\"hash\":\"ab\",\"duplicate\":false}";

    @Test
    void submitPrintsWhereTheTransactionIs(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(1).answers("/submit", COMMITTED);

            assertThat(cluster.run("submit", "pay 5").out()).isEqualTo("committed in block 8 at position 0  ab\n");
            assertThat(cluster.run("submit", "--hex", "4142", "--json").out()).isEqualTo(COMMITTED + "\n");
            Path file = Files.writeString(data.resolve("tx"), "from a file");
            assertThat(cluster.run("submit", "--file", file.toString()).code()).isZero();
            assertThat(cluster.run("submit", "x", "--count", "2").lines()).hasSize(2);
            assertThat(cluster.node(1).requests())
                    .containsExactly(
                            "POST /submit pay 5",
                            "POST /submit AB",
                            "POST /submit from a file",
                            "POST /submit x 1",
                            "POST /submit x 2");
        }
    }

    @Test
    void submitTriesAnotherNodeWhenOneCannotTakeIt(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(1).answers("/submit", 503, "{\"error\":\"no holder\",\"retry\":true}");
            cluster.node(2).close();
            cluster.node(3).answers("/submit", COMMITTED);

            assertThat(cluster.run("submit", "x").code()).isZero();
            assertThat(cluster.node(3).requests()).containsExactly("POST /submit x");
        }
    }

    @Test
    void submitDoesNotTryAgainWhatWasRefusedForGood(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(1).answers("/submit", 413, "{\"error\":\"too large: 9 (expected: 5 or less)\"}");

            Cli submit = cluster.run("submit", "x");

            assertThat(submit.code()).isEqualTo(Exit.REFUSED.number());
            assertThat(submit.err()).isEqualTo("baton: too large: 9 (expected: 5 or less)\n");
            assertThat(cluster.node(2).requests()).isEmpty();
        }
    }

    @Test
    void submitGivesUpInTime(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            for (int i = 1; i <= 3; i++) {
                cluster.node(i).answers("/submit", 503, "{\"error\":\"no holder\",\"retry\":true}");
            }
            Cli submit = cluster.run("submit", "x", "--within", "300ms");

            assertThat(submit.code()).isEqualTo(Exit.UNREACHABLE.number());
            assertThat(submit.err()).isEqualTo("baton: no holder\n");
        }
    }

    @Test
    void submitNeedsExactlyOneTransaction(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            assertThat(cluster.run("submit").code()).isEqualTo(Exit.USAGE.number());
            assertThat(cluster.run("submit", "x", "--hex", "00").code()).isEqualTo(Exit.USAGE.number());
            assertThat(cluster.run("submit", "--hex", "0g").code()).isEqualTo(Exit.USAGE.number());
        }
    }

    @Test
    void handoffAsksTheHolder(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2)
                    .answers("/handoff", "{\"from\":\"n2\",\"to\":\"n3\",\"epoch\":8,\"height\":50,\"millis\":87}");

            Cli handoff = cluster.run("handoff", "--to", "n3");

            assertThat(handoff.out()).isEqualTo("n2 handed the seat to n3 at height 50, epoch 8, in 87 ms\n");
            assertThat(cluster.node(2).requests()).contains("POST /handoff?to=n3&validMillis=5000 ");
        }
    }

    @Test
    void aRefusedHandoffSaysWhy(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2).answers("/handoff", 409, "{\"error\":\"n3 is 12 blocks behind\"}");

            Cli refused = cluster.run("handoff", "--to", "n3");

            assertThat(refused.code()).isEqualTo(Exit.REFUSED.number());
            assertThat(refused.err()).isEqualTo("baton: n3 is 12 blocks behind\n");
            assertThat(cluster.run("handoff", "--to", "n7").code()).isEqualTo(Exit.USAGE.number());
        }
    }

    @Test
    void pauseAndResumeGoToTheNamedNode(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(3).answers("/pause", "{}").answers("/resume", "{}");

            assertThat(cluster.run("pause", "n3", "--why", "new disk").out()).isEqualTo("n3 is paused\n");
            assertThat(cluster.run("resume", "n3").out()).isEqualTo("n3 is resumed\n");
            assertThat(cluster.node(3).requests()).containsExactly("POST /pause?why=new+disk ", "POST /resume ");
        }
    }

    @Test
    void crashKillsNoProcessThatIsNotTheNode(@TempDir Path data) throws IOException {
        long stranger = ProcessHandle.current().pid();
        new ClusterFile(
                        "dev",
                        "raft",
                        1,
                        List.of(new ClusterFile.Member("n1", stranger, true, new ClusterFile.Ports(1, 2, 3, 4, 5))))
                .write(data);

        Cli crash = Cli.run("crash", "n1", "--data", data.toString());

        assertThat(crash.code()).isEqualTo(Exit.REFUSED.number());
        assertThat(crash.err()).contains("nothing was killed");
        assertThat(Cli.run("crash", "n2", "--data", data.toString()).err())
                .isEqualTo("baton: node: \"n2\" (expected: one of n1)\n");
    }

    @Test
    void crashKillsTheProcessThatRunsTheNodesConfiguration(@TempDir Path data) throws Exception {
        Path config = data.resolve("n1").resolve("node.yaml").toAbsolutePath().normalize();
        Process node = new ProcessBuilder("sh", "-c", "read line", "node", config.toString()).start();
        try {
            new ClusterFile(
                            "dev",
                            "raft",
                            1,
                            List.of(new ClusterFile.Member(
                                    "n1", node.pid(), true, new ClusterFile.Ports(1, 2, 3, 4, 5))))
                    .write(data);

            Cli crash = Cli.run("crash", "n1", "--data", data.toString(), "--json");

            assertThat(crash.out()).isEqualTo("{\"crashed\":\"n1\",\"pid\":" + node.pid() + "}\n");
            assertThat(node.waitFor()).isEqualTo(128 + 9);
        } finally {
            node.destroyForcibly();
        }
    }
}
