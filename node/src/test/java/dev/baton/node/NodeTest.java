package dev.baton.node;

import static dev.baton.node.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeTest {

    @TempDir
    Path folder;

    private static void awaitLeader(TestCluster cluster, String name) {
        await().atMost(Duration.ofSeconds(20)).until(() -> name.equals(cluster.leader()));
    }

    private static void awaitReady(TestCluster cluster, String name) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> cluster.get(name, "/ready").statusCode() == 200);
    }

    private static void awaitSeen(TestCluster cluster, String by, String peer) {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            for (JsonNode seen : json(cluster.get(by, "/status")).path("peers")) {
                if (seen.path("node").asText().equals(peer)
                        && seen.path("ready").asBoolean()) {
                    return true;
                }
            }
            return false;
        });
    }

    @Test
    void aSubmittedTransactionIsInTheBlockThatTheAnswerNames() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");

            JsonNode answer = json(cluster.post("n1", "/submit", "hello"));
            JsonNode block =
                    json(cluster.get("n1", "/blocks/" + answer.path("height").asLong()));

            assertThat(block.path("body")
                            .path(answer.path("index").asInt())
                            .path("text")
                            .asText())
                    .isEqualTo("hello");
            assertThat(block.path("signed").asBoolean()).isTrue();
            assertThat(json(cluster.post("n1", "/submit", "hello"))
                            .path("duplicate")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void aFollowerForwardsASubmissionAndShowsTheSameBlock() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");
            cluster.start("n2");
            awaitReady(cluster, "n2");

            JsonNode answer = json(cluster.post("n2", "/submit", "over there"));
            long height = answer.path("height").asLong();

            assertThat(height).as("%s", answer).isPositive();
            await().until(() -> cluster.get("n2", "/blocks/" + height).statusCode() == 200);
            assertThat(json(cluster.get("n2", "/blocks/" + height)).path("hash"))
                    .isEqualTo(json(cluster.get("n1", "/blocks/" + height)).path("hash"));
            assertThat(cluster.get("n1", "/leader").statusCode()).isEqualTo(200);
            assertThat(cluster.get("n1", "/follower").statusCode()).isEqualTo(503);
            assertThat(cluster.get("n2", "/leader").statusCode()).isEqualTo(503);
            assertThat(cluster.get("n2", "/follower").statusCode()).isEqualTo(200);
            assertThat(cluster.options("n1", "/leader").statusCode()).isEqualTo(200);
            assertThat(cluster.options("n2", "/leader").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void statusAndExplainSayWhereTheNodeStands() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");
            cluster.start("n2");
            awaitSeen(cluster, "n2", "n1");
            awaitSeen(cluster, "n1", "n2");

            JsonNode status = json(cluster.get("n2", "/status"));
            JsonNode seat = status.path("seats").path(0);

            assertThat(status.path("cluster").asText()).isEqualTo("demo");
            assertThat(status.path("authority").asText()).isEqualTo("memory");
            assertThat(status.path("incarnation").asText()).hasSize(16);
            assertThat(seat.path("standing").asText()).isEqualTo("FOLLOWER");
            assertThat(seat.path("holder").path("node").asText()).isEqualTo("n1");
            assertThat(seat.path("holder").path("address").asText())
                    .isEqualTo(cluster.node("n1").ownGrpcAddress());
            assertThat(seat.path("holder").path("http").asText())
                    .isEqualTo(cluster.node("n1").ownHttpAddress());
            assertThat(seat.path("deadlineLeftMillis").isNull()).isTrue();
            assertThat(json(cluster.get("n1", "/status"))
                            .path("seats")
                            .path(0)
                            .path("deadlineLeftMillis")
                            .isNumber())
                    .isTrue();
            assertThat(json(cluster.get("n2", "/explain?seat=blocks"))
                            .path("explain")
                            .asText())
                    .contains("n2 does not lead because n1 does");
            assertThat(cluster.get("n2", "/explain?seat=other").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aHandoffMovesTheSeatAndHistoryTellsIt() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");
            cluster.start("n2");
            awaitSeen(cluster, "n1", "n2");

            HttpResponse<String> answer = cluster.admin("n1", "/handoff?to=n2");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(json(answer).path("to").asText()).isEqualTo("n2");
            assertThat(cluster.node("n2").seats().getFirst().status().leads()).isTrue();
            await().until(() ->
                    json(cluster.get("n1", "/history")).path("terms").size() == 2);
            JsonNode terms = json(cluster.get("n1", "/history")).path("terms");
            assertThat(terms.path(0).path("node").asText()).isEqualTo("n1");
            assertThat(terms.path(0).path("ended").asText()).isEqualTo("HANDED_OFF");
            assertThat(terms.path(1).path("node").asText()).isEqualTo("n2");
            assertThat(terms.path(1).path("ended").isNull()).isTrue();
            assertThat(terms.path(1).path("firstHeight").asLong())
                    .isEqualTo(terms.path(0).path("lastHeight").asLong() + 1);
            assertThat(terms.path(1).path("gapMillis").asLong()).isBetween(0L, 5000L);
        }
    }

    @Test
    void aHandoffToANodeThatIsNotThereIsRefusedAndTheHolderLeadsOn() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");

            HttpResponse<String> answer = cluster.admin("n1", "/handoff?to=n2");

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(json(answer).path("error").asText()).contains("n2 has not announced itself");
            assertThat(cluster.leader()).isEqualTo("n1");
        }
    }

    @Test
    void aHandoffThatTheTargetRefusesIsAborted() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");
            cluster.start("n2");
            awaitSeen(cluster, "n1", "n2");
            cluster.connection("n2").cut(); // the target cannot reach the engine, so it cannot use the ticket

            HttpResponse<String> answer = cluster.admin("n1", "/handoff?to=n2&validMillis=500");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
            assertThat(json(answer).path("error").asText()).contains("n1 leads on");
            long height = cluster.node("n1")
                    .seats()
                    .getFirst()
                    .status()
                    .head()
                    .height()
                    .value();
            await().until(() -> cluster.node("n1")
                            .seats()
                            .getFirst()
                            .status()
                            .head()
                            .height()
                            .value()
                    > height);
            cluster.connection("n2").heal();
        }
    }

    @Test
    void aPausedHolderGivesTheSeatUpAndResumes() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");

            assertThat(cluster.admin("n1", "/pause?why=maintenance").statusCode())
                    .isEqualTo(200);
            await().until(() ->
                    json(cluster.get("n1", "/explain")).path("explain").asText().contains("paused: maintenance"));
            assertThat(cluster.admin("n1", "/resume").statusCode()).isEqualTo(200);
            awaitLeader(cluster, "n1");
        }
    }

    /** The quickest of a few is told: on a busy machine any one of them may have to wait for a core. */
    @Test
    void aStoppingHolderFreesTheSeatWithinATenthOfASecond() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            String holder = "n1";
            String other = "n2";
            cluster.start(holder);
            awaitLeader(cluster, holder);
            Duration quickest = Duration.ofDays(1);
            for (int round = 0; round < 5; round++) {
                cluster.start(other);
                awaitReady(cluster, other);

                Duration freed = stopUntilSeenBy(cluster, holder, other);

                quickest = freed.compareTo(quickest) < 0 ? freed : quickest;
                awaitLeader(cluster, other);
                String stopped = holder;
                holder = other;
                other = stopped;
            }
            assertThat(quickest).isLessThan(Duration.ofMillis(100));
        }
    }

    /** How long it takes from the stop of a holder until another node does not see it in the seat any more. */
    private static Duration stopUntilSeenBy(TestCluster cluster, String holder, String other) throws Exception {
        Optional<String> before = Optional.of(holder);
        long begun = System.nanoTime();
        Thread stopping = Thread.ofVirtual().start(() -> cluster.stop(holder));
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !cluster.node(other)
                        .seats()
                        .getFirst()
                        .status()
                        .currentHolder()
                        .map(by -> by.term().node().value())
                        .equals(before));
        Duration freed = Duration.ofNanos(System.nanoTime() - begun);
        stopping.join();
        return freed;
    }

    @Test
    void aNodeThatDisagreesWithARunningPeerIsRefusedAndTheKeyIsNamed() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");

            NodeFailure refused = catchThrowableOfType(
                    NodeFailure.class,
                    () -> cluster.start("n2", yaml -> yaml.replace("interval: 100ms", "interval: 200ms")));

            assertThat(refused.code()).isEqualTo(ExitCode.DISAGREEMENT);
            assertThat(refused).hasMessageContaining("seats.blocks.pulse.interval: PT0.2S at n2, PT0.1S at n1");
            assertThat(cluster.get("n1", "/ready").statusCode())
                    .as("the peer goes on")
                    .isEqualTo(200);
            cluster.start("n2"); // nothing was left behind: folder and ports are free
        }
    }

    @Test
    void anObserverFollowsAndAnswersReadsAndNeverLeads() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");
            cluster.start("n2", yaml -> "role: observer\n" + yaml);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(cluster.get("n2", "/blocks/3").statusCode())
                                    .isEqualTo(200));
            assertThat(cluster.get("n2", "/metrics").body()).doesNotContain("baton_ready");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(
                                    cluster.admin("n1", "/handoff?to=n2").body())
                            .contains("n2 is paused"));
            assertThat(cluster.admin("n2", "/resume").statusCode()).isEqualTo(409);

            cluster.stop("n1");

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> cluster.node("n2")
                            .seats()
                            .getFirst()
                            .status()
                            .currentHolder()
                            .isEmpty());
            JsonNode seat =
                    TestCluster.json(cluster.get("n2", "/status")).path("seats").path(0);
            assertThat(seat.path("standing").asText()).isEqualTo("PAUSED");
            assertThat(seat.path("explain").asText()).contains("n2 is an observer");
            assertThat(cluster.get("n2", "/blocks/3").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aDisagreementThatShowsLaterMakesANodeUnready() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            awaitReady(cluster, "n1");
            // The other one knows of no peers, and so does not find out by itself before it joins.
            cluster.start(
                    "n2",
                    yaml -> yaml.replace("interval: 100ms", "interval: 200ms").replaceFirst("(?s)\\npeers:.*", "\n"));

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                HttpResponse<String> ready = cluster.get("n1", "/ready");
                assertThat(ready.statusCode()).isEqualTo(503);
                assertThat(ready.body()).contains("pulse.interval: PT0.1S at n1, PT0.2S at n2");
            });
        }
    }

    @Test
    void anOccupiedPortIsToldWithItsKey() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1");
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            NodeFailure refused = catchThrowableOfType(
                    NodeFailure.class,
                    () -> cluster.start(
                            "n1", yaml -> yaml.replace("http: \"127.0.0.1:0\"", "http: \"" + address + "\"")));

            assertThat(refused.code()).isEqualTo(ExitCode.PORT_IN_USE);
            assertThat(refused).hasMessageContaining("listen.http: " + address);
            cluster.start("n1");
        }
    }

    @Test
    void anOccupiedGrpcPortIsToldWithItsKey() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1");
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            NodeFailure refused = catchThrowableOfType(
                    NodeFailure.class,
                    () -> cluster.start(
                            "n1", yaml -> yaml.replaceFirst("grpc: \"[^\"]*\"", "grpc: \"" + address + "\"")));

            assertThat(refused.code()).isEqualTo(ExitCode.PORT_IN_USE);
            assertThat(refused).hasMessageContaining("listen.grpc: " + address);
        }
    }

    @Test
    void blocksAreStreamedAsTheyAreMade() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            awaitLeader(cluster, "n1");

            try (InputStream body = URI.create("http://" + cluster.node("n1").ownHttpAddress() + "/blocks/tail?from=1")
                    .toURL()
                    .openStream()) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                for (int height = 1; height <= 5; height++) {
                    assertThat(lines.readLine()).startsWith("{\"height\":" + height + ",");
                }
            }
        }
    }

    @Test
    void onRaftThreeNodesElectOneAndTheOthersTakeOver() throws Exception {
        try (TestCluster cluster = TestCluster.onRaft(folder, "n1", "n2", "n3")) {
            cluster.startAll();
            await().atMost(Duration.ofSeconds(30)).until(() -> cluster.leader() != null);
            String first = cluster.leader();
            for (String name : List.of("n1", "n2", "n3")) {
                awaitReady(cluster, name);
            }

            cluster.stop(String.valueOf(first));

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> cluster.leader() != null
                            && cluster.post(String.valueOf(cluster.leader()), "/submit", "after")
                                            .statusCode()
                                    == 200);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
