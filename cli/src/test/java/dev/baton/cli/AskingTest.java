package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that only ask, word for word. */
class AskingTest {

    private static final String BLOCK =
            "{\"height\":5,\"hash\":\"abcdef0123456789\",\"parent\":\"00\",\"epoch\":7,\"timeMillis\":0,"
                    + "\"transactions\":2,\"bytes\":99,\"signer\":\"n2\",\"signed\":true}";

    @Test
    void statusShowsEveryNodeAndWhoLeads(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            Cli status = cluster.run("status");

            assertThat(status.out()).isEqualTo("""
                            NODE  STANDING  EPOCH  HEIGHT  LAST BLOCK  PID
                            n1    FOLLOWER      7      41  250 ms ago  101
                            n2    LEADER        7      42  250 ms ago  102
                            n3    FOLLOWER      7      43  250 ms ago  103
                            n2 leads
                            """);
            assertThat(status.code()).isZero();
        }
    }

    @Test
    void statusAsJsonNamesTheLeaderAndEveryNode(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            Cli status = cluster.run("status", "--json");

            assertThat(status.lines()).hasSize(1);
            var json = Json.parse(status.out()).orElseThrow();
            assertThat(json.path("leader").asText()).isEqualTo("n2");
            assertThat(json.path("epoch").asLong()).isEqualTo(7);
            assertThat(json.path("height").asLong()).isEqualTo(43);
            assertThat(json.path("nodes")).hasSize(3);
            assertThat(json.path("nodes").path(0).path("standing").asText()).isEqualTo("FOLLOWER");
        }
    }

    @Test
    void statusPrintsTheLeaderAloneForScripts(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            assertThat(cluster.run("status", "--leader").out()).isEqualTo("n2\n");

            cluster.node(2).answers("/status", StubCluster.status("n2", "FENCED", 42, 102));
            Cli nobody = cluster.run("status", "--leader");
            assertThat(nobody.code()).isEqualTo(Exit.NOT_FOUND.number());
            assertThat(nobody.err()).startsWith("baton: no node leads right now (expected: ");
        }
    }

    @Test
    void aNodeThatDoesNotAnswerIsDownAndTheOthersAreStillShown(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(1).close();

            Cli status = cluster.run("status");

            assertThat(status.code()).isZero();
            assertThat(status.lines().get(1)).matches("n1 +DOWN +- +- +- +-");
            assertThat(status.lines().getLast()).matches("n1: 127.0.0.1:\\d+ refuses connections");
        }
    }

    @Test
    void noAnswerAtAllIsAFailureThatSaysWhatToDo(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            for (int i = 1; i <= 3; i++) {
                cluster.node(i).close();
            }
            Cli status = cluster.run("status");

            assertThat(status.code()).isEqualTo(Exit.UNREACHABLE.number());
            assertThat(status.out()).isEmpty();
            assertThat(status.err()).startsWith("baton: no node answers (n1: ").contains("./baton up starts a cluster");
        }
    }

    @Test
    void withoutAClusterTheMessageSaysHowToGetOne(@TempDir Path data) {
        Cli status = Cli.run("status", "--data", data.toString());

        assertThat(status.code()).isEqualTo(Exit.UNREACHABLE.number());
        assertThat(status.err()).startsWith("baton: no cluster in " + data).contains("start one with ./baton up");
        assertThat(status.err().lines()).hasSize(1);
    }

    @Test
    void aNodeCanBeAskedByItsAddress() {
        try (StubNode node = new StubNode().answers("/status", StubCluster.status("far", "LEADER", 9, 1))) {
            Cli status = Cli.run("status", "--url", "http://127.0.0.1:" + node.port());

            assertThat(status.lines().get(1)).startsWith("far");
        }
        Cli wrong = Cli.run("status", "--url", "127.0.0.1:80");
        assertThat(wrong.code()).isEqualTo(Exit.USAGE.number());
    }

    @Test
    void historySaysWhoHeldTheSeatWhyItEndedAndHowLongTheGapWas(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2).answers("/history", """
                            {"seat":"blocks","terms":[
                            {"epoch":1,"node":"n1","openedAtMillis":0,"firstHeight":1,"lastHeight":9,"ended":"REPLACED","gapMillis":null},
                            {"epoch":7,"node":"n2","openedAtMillis":9000,"firstHeight":10,"lastHeight":42,"ended":null,"gapMillis":1340}]}
                            """);
            Cli history = cluster.run("history");

            assertThat(history.lines()).hasSize(3);
            assertThat(history.lines().get(1)).matches(" +1  n1 .* 1..9 +- +replaced: its process was gone");
            assertThat(history.lines().get(2)).matches(" +7  n2 .* 10..42 +1.3 s +holds it now");
            assertThat(cluster.node(2).requests()).contains("GET /history?limit=50 ");
            assertThat(cluster.run("history", "--json").lines()).hasSize(1);
        }
    }

    @Test
    void explainGivesEveryNodesReason(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            assertThat(cluster.run("explain").lines())
                    .containsExactly(
                            "n1 (FOLLOWER): because n1", "n2 (LEADER): because n2", "n3 (FOLLOWER): because n3");
            assertThat(cluster.run("explain", "n3").lines()).containsExactly("n3 (FOLLOWER): because n3");

            Cli unknown = cluster.run("explain", "n9");
            assertThat(unknown.code()).isEqualTo(Exit.USAGE.number());
            assertThat(unknown.err()).isEqualTo("baton: node: \"n9\" (expected: one of n1, n2, n3)\n");
        }
    }

    @Test
    void blocksAreListedFollowedAndShown(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2)
                    .answers("/blocks", "{\"blocks\":[" + BLOCK + "]}")
                    .answers("/blocks/tail", BLOCK + "\n" + BLOCK.replace(":5,", ":6,") + "\n")
                    .answers(
                            "/blocks/5",
                            BLOCK.replace(
                                    "\"transactions\":2",
                                    "\"transactions\":[{\"hash\":\"ffee\",\"size\":3,\"utf8\":\"pay\"}]"));

            assertThat(cluster.run("blocks", "list", "--limit", "3").lines().get(1))
                    .isEqualTo("     5  abcdef012345      7  n2               2     99  1970-01-01T00:00:00Z");
            assertThat(cluster.node(2).requests()).contains("GET /blocks?from=40&limit=3 ");
            assertThat(cluster.run("blocks", "tail", "--count", "2", "--json").lines())
                    .hasSize(2);
            assertThat(cluster.run("blocks", "show", "5").lines())
                    .contains("node    n2 (signed)", "  ffee  3 bytes  pay");
            assertThat(cluster.run("blocks", "show", "6").code()).isEqualTo(Exit.NOT_FOUND.number());
        }
    }

    @Test
    void aStreamThatBreaksIsAFailure(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            cluster.node(2).answers("/blocks/tail", BLOCK + "\n");

            Cli tail = cluster.run("blocks", "tail", "--count", "2");

            assertThat(tail.lines()).hasSize(1);
            assertThat(tail.code()).isEqualTo(Exit.UNREACHABLE.number());
        }
    }

    @Test
    void doctorFailsWhenNobodyLeadsAndSaysWhereToLook(@TempDir Path data) throws IOException {
        try (StubCluster cluster = new StubCluster(data)) {
            assertThat(cluster.run("doctor").code()).isZero();

            cluster.node(2).close();
            Cli doctor = cluster.run("doctor");

            assertThat(doctor.code()).isEqualTo(Exit.FAILED.number());
            assertThat(doctor.lines())
                    .anyMatch(line -> line.startsWith("ok    jdk "))
                    .anyMatch(line -> line.startsWith("ok    n1 "))
                    .anyMatch(line -> line.startsWith("fail  n2 "))
                    .contains("fail  cluster  nobody leads; baton explain says what each node waits for");
            assertThat(Json.parse(cluster.run("doctor", "--json").out())
                            .orElseThrow()
                            .path("worst")
                            .asText())
                    .isEqualTo("fail");
        }
    }
}
