package dev.baton.cli.pg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.Cli;
import dev.baton.cli.Exit;
import dev.baton.cli.StubCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PgCommandsTest {

    @Test
    void aSwitchoverIsAskedOfTheHolderAtOnceOrForATimeOrTakenBack(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2)
                    .answers("/switchover", "{\"from\":\"n2\",\"to\":\"n3\",\"epoch\":8,\"height\":9,\"millis\":400}")
                    .answers("/switchover/plan", "{}")
                    .answers("/switchover/cancel", "{}");

            assertThat(cluster.run("pg", "switchover", "--to", "n3").out())
                    .isEqualTo("n3 is the primary instead of n2, epoch 8, after 400 ms\n");
            assertThat(cluster.run("pg", "switchover", "--to", "n3", "--at", "2030-01-31T02:30Z")
                            .out())
                    .isEqualTo("planned: n3 becomes the primary at 2030-01-31T02:30:00Z\n");
            assertThat(cluster.run("pg", "switchover", "--cancel").code()).isZero();
            assertThat(cluster.node(2).requests())
                    .contains(
                            "POST /switchover?to=n3&validMillis=8000 ",
                            "POST /switchover/plan?to=n3&atMillis=1896057000000 ",
                            "POST /switchover/cancel ");
        }
    }

    @Test
    void aSwitchoverNeedsOneWishAndATimeThatCanBeRead(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            assertThat(cluster.run("pg", "switchover").code()).isEqualTo(Exit.USAGE.number());
            assertThat(cluster.run("pg", "switchover", "--to", "n9").code()).isEqualTo(Exit.USAGE.number());
            Cli soon = cluster.run("pg", "switchover", "--to", "n3", "--at", "soon");
            assertThat(soon.code()).isEqualTo(Exit.USAGE.number());
            assertThat(soon.err()).contains("--at: \"soon\" (expected: a time such as");
        }
    }

    @Test
    void aStandbyIsCopiedAnewOnItsOwnNode(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(3).answers("/reinit", "{\"node\":\"n3\"}");
            cluster.node(2).answers("/reinit", 409, "{\"error\":\"n2 is the primary (expected: a standby)\"}");

            assertThat(cluster.run("pg", "reinit", "n3").code()).isZero();
            assertThat(cluster.run("pg", "reinit", "n2").code()).isEqualTo(Exit.REFUSED.number());
        }
    }

    @Test
    void theLastPrimariesAreListed(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2)
                    .answers(
                            "/history",
                            "{\"reigns\":[{\"timeline\":2,\"node\":\"n1\",\"from\":\"0/3000148\",\"sinceMillis\":5}]}");

            assertThat(cluster.run("pg", "history").lines().getLast())
                    .contains("n1")
                    .contains("0/3000148");
        }
    }

    @Test
    void aPlanIsShownWithTheServers(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(1)
                    .answers(
                            "/cluster",
                            "{\"plannedTo\":\"n3\",\"plannedAtMillis\":1896057000000,\"member\":{\"role\":\"replica\"}}");

            assertThat(cluster.run("pg", "list").lines().getLast())
                    .isEqualTo("planned: n3 becomes the primary at 2030-01-31T02:30:00Z");
        }
    }
}
