package dev.baton.duty.postgres;

import static dev.baton.duty.postgres.PostgresNodes.PATIENCE;
import static dev.baton.duty.postgres.PostgresNodes.awaitStreaming;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.core.standing.Readiness;
import dev.baton.duty.postgres.PostgresNodes.Node;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** INV-22, INV-23 and INV-24 on real servers. */
class PostgresDutyTest {

    @Test
    void aDatabaseIsMadeCopiedAndTakenOverWhenItDiesAndWhatOnlyTheOldPrimaryHadIsTakenBack() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1", "n2", "n3")) {
            Node first = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            nodes.execute("n1", "CREATE TABLE t (id int PRIMARY KEY)");
            Node second = nodes.join("n2");
            Node third = nodes.join("n3");
            awaitStreaming(second, third);
            nodes.execute("n1", "INSERT INTO t VALUES (1)");
            await().atMost(PATIENCE).until(() -> nodes.number("n2", "SELECT count(*) FROM t") == 1);
            await().atMost(PATIENCE).until(() -> nodes.number("n3", "SELECT count(*) FROM t") == 1);
            await().atMost(PATIENCE).until(() -> second.duty().readiness().isReady());
            assertThatThrownBy(() -> nodes.execute("n2", "INSERT INTO t VALUES (2)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("read-only");

            // Nobody streams any more, so the next row is the old primary's alone.
            nodes.execute("n1", "ALTER ROLE baton_replication NOLOGIN");
            nodes.execute("n1", "SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
            nodes.execute("n1", "INSERT INTO t VALUES (99)");
            nodes.killServer("n1");
            Node next = nodes.awaitPrimaryAmong("n2", "n3");
            int timeline = next.duty().view().timeline();
            assertThat(timeline).isGreaterThan(2);
            nodes.execute(next.name(), "INSERT INTO t VALUES (3)");

            await().atMost(PATIENCE)
                    .until(() -> first.streams() && first.duty().view().timeline() == timeline);
            await().atMost(PATIENCE).until(() -> nodes.number("n1", "SELECT sum(id) FROM t") == 4);
            awaitStreaming(next.name().equals("n2") ? third : second);
        }
    }

    @Test
    void anIsolatedPrimaryIsDownBeforeAnotherTakesWrites() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1", "n2")) {
            Node first = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            Node second = nodes.join("n2");
            awaitStreaming(second);
            await().atMost(PATIENCE).until(() -> second.duty().readiness().isReady());
            nodes.execute("n1", "CREATE TABLE t (id int)");

            first.authority().cut();
            await().atMost(PATIENCE).until(() -> {
                boolean secondWrites = writable(nodes, "n2");
                assertThat(secondWrites && writable(nodes, "n1")).isFalse();
                return secondWrites;
            });
            // What only the old primary has is taken back when it returns.
            first.authority().heal();
            awaitStreaming(first);
            assertThat(writable(nodes, "n1")).isFalse();
        }
    }

    private static boolean writable(PostgresNodes nodes, String name) {
        try {
            return nodes.number(name, "SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END") == 1;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void inSynchronousModeNoAcknowledgedRowIsLostWithThePrimary() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.STRICT, "n1", "n2", "n3")) {
            Node first = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            Node second = nodes.join("n2");
            Node third = nodes.join("n3");
            awaitStreaming(second, third);
            await().atMost(PATIENCE)
                    .until(() -> first.duty().record().complete().size() == 2);
            String complete = first.duty().record().complete().stream()
                    .filter(name -> !name.equals("n1"))
                    .findFirst()
                    .orElseThrow();
            Node incomplete = complete.equals("n2") ? third : second;
            await().atMost(PATIENCE)
                    .until(() -> nodes.node(complete).duty().readiness().isReady());
            assertThat(incomplete.duty().readiness())
                    .isInstanceOfSatisfying(
                            Readiness.NotReady.class,
                            not -> assertThat(not.why()).contains("may lack commits"));

            nodes.execute("n1", "CREATE TABLE t (id int PRIMARY KEY)");
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicBoolean over = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().start(() -> {
                try (var connection = nodes.connect("n1");
                        var statement = connection.createStatement()) {
                    for (int id = 1; !over.get(); id++) {
                        statement.execute("INSERT INTO t VALUES (" + id + ")");
                        acknowledged.set(id);
                    }
                } catch (SQLException e) {
                    over.set(true);
                }
            });
            await().atMost(PATIENCE).until(() -> acknowledged.get() > 50);
            nodes.killServer("n1");
            writer.join();
            int promised = acknowledged.get();

            Node next = nodes.awaitPrimaryAmong("n2", "n3");
            assertThat(next.name()).isEqualTo(complete);
            assertThat(nodes.number(next.name(), "SELECT count(*) FROM t WHERE id <= " + promised))
                    .isEqualTo(promised);
        }
    }

    @Test
    void aPrimaryThatLostItsPowerComesBackAsAStandbyThatTakesNoWrites() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1")) {
            nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            nodes.execute("n1", "CREATE TABLE t (id int)");
            nodes.node("n1").authority().cut(); // nobody will give it the seat again
            nodes.killServer("n1");
            nodes.leave("n1");

            Node back = nodes.open("n1");
            await().atMost(PATIENCE).until(() -> back.duty().view().running());
            assertThat(nodes.number("n1", "SELECT count(*) FROM t")).isZero();
            assertThatThrownBy(() -> nodes.execute("n1", "INSERT INTO t VALUES (1)"))
                    .hasMessageContaining("read-only");
        }
    }
}
