package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes in processes of their own, over Raft, each with a real PostgreSQL, one cluster for all tests: frozen, killed, moved
 * and back again. Its preferred node is n1, so that every test begins with the primary there, and shows the way back.
 */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresProcessTest {

    private final PostgresNodes nodes = PostgresNodes.start((node, folder) -> Optional.empty(), "1s");

    PostgresProcessTest() throws IOException {}

    @AfterAll
    void end() throws Exception {
        nodes.close();
    }

    @Test
    void theServerOfAFrozenNodeIsDownBeforeAnotherIsPromotedAndIsThePrimaryAgainSomeTimeAfterItsNodeThaws()
            throws Exception {
        nodes.awaitHome();
        assertThat(nodes.number("n1", "CREATE TABLE frozen (id int)")).isZero();
        assertThat(nodes.number("n1", "INSERT INTO frozen VALUES (1)")).isZero();

        nodes.signal("STOP", "n1");
        String second = nodes.awaitPrimaryOtherThan("n1");
        assertThat(nodes.workload("n1").isDown())
                .as("INV-23: the frozen node's server")
                .isTrue();
        assertThat(nodes.number(second, "INSERT INTO frozen VALUES (2)")).isZero();

        nodes.signal("CONT", "n1");
        nodes.awaitHome(); // the demotion handshake: it follows, catches up, and is handed the seat
        assertThat(nodes.number("n1", "SELECT count(*) FROM frozen")).isEqualTo(2);
    }

    @Test
    void aPlannedSwitchoverHappensOnceAndThePreferredNodeIsThePrimaryAgainAfterwards() throws Exception {
        nodes.awaitHome();
        String standby = nodes.answers("n2", "/sync") ? "n3" : "n2"; // the one that must be made complete first
        long at = System.currentTimeMillis() + 1000;
        assertThat(PostgresNodes.status(
                        "POST", nodes.at(standby).admin(), "/switchover/plan?to=" + standby + "&atMillis=" + at))
                .as("only the primary can plan")
                .isEqualTo(409);
        assertThat(PostgresNodes.status("POST", nodes.at("n1").admin(), "/switchover/plan?to=nobody&atMillis=" + at))
                .isEqualTo(400);
        assertThat(PostgresNodes.status(
                        "POST", nodes.at("n1").admin(), "/switchover/plan?to=" + standby + "&atMillis=" + at))
                .isEqualTo(200);
        await().atMost(PostgresNodes.PATIENCE).until(() -> nodes.answers(standby, "/primary"));
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(at);

        nodes.awaitHome();
        assertThat(nodes.text("n1", "/cluster")).contains("\"plannedTo\":null");
        assertThat(nodes.text("n2", "/history")).containsSubsequence("\"node\":\"" + standby + "\"", "\"node\":\"n1\"");
    }

    @Test
    void everyPageForLoadBalancersAnswersByTheRoleOfItsServer() throws Exception {
        nodes.awaitHome();
        String sync = nodes.answers("n2", "/sync") ? "n2" : "n3";
        String async = sync.equals("n2") ? "n3" : "n2";
        List<String> always = List.of("/read-only", "/health", "/liveness", "/readiness", "/cluster", "/history");
        Map<String, List<String>> yes = Map.of(
                "n1",
                List.of("/primary", "/read-write"),
                sync,
                List.of("/replica", "/replica?lag=16MB", "/sync"),
                async,
                List.of("/replica", "/replica?lag=16MB", "/async"));
        List<String> roles = List.of("/primary", "/read-write", "/replica", "/replica?lag=16MB", "/sync", "/async");
        for (String name : PostgresNodes.NAMES) {
            int port = nodes.at(name).http();
            for (String path : always) {
                assertThat(PostgresNodes.status("GET", port, path))
                        .as(name + path)
                        .isEqualTo(200);
            }
            for (String path : roles) {
                int expected = Objects.requireNonNull(yes.get(name)).contains(path) ? 200 : 503;
                assertThat(PostgresNodes.status("GET", port, path))
                        .as(name + path)
                        .isEqualTo(expected);
                assertThat(PostgresNodes.status("HEAD", port, path))
                        .as("HEAD " + name + path)
                        .isEqualTo(expected);
                assertThat(PostgresNodes.status("OPTIONS", port, path))
                        .as("OPTIONS " + name + path)
                        .isEqualTo(expected);
            }
            assertThat(PostgresNodes.status("GET", port, "/replica?lag=much")).isEqualTo(400);
        }
        assertThat(nodes.text("n1", "/metrics"))
                .contains("baton_postgres_primary{seat=\"pg\"} 1")
                .contains("baton_fencing_stopped_total{seat=\"pg\"}");
    }

    @Test
    void afterAPowerCutNoServerIsAPrimaryWithoutTheSeat() throws Exception {
        nodes.awaitHome();
        assertThat(nodes.number("n1", "CREATE TABLE powered (id int)")).isZero();
        assertThat(nodes.number("n1", "INSERT INTO powered VALUES (1)")).isZero();
        for (String name : PostgresNodes.NAMES) {
            nodes.cutPower(name);
        }

        nodes.start("n1"); // the last primary; alone it cannot get the seat
        await().atMost(PostgresNodes.PATIENCE).until(() -> nodes.answers("n1", "/health"));
        assertThat(nodes.number("n1", "SELECT pg_is_in_recovery()::int")).isEqualTo(1);
        assertThat(nodes.number("n1", "SELECT count(*) FROM powered")).isEqualTo(1);
        assertThat(nodes.answers("n1", "/primary")).isFalse();

        nodes.start("n2");
        nodes.start("n3");
        nodes.awaitHome();
        assertThat(nodes.number("n1", "INSERT INTO powered VALUES (2)")).isZero();
    }
}
