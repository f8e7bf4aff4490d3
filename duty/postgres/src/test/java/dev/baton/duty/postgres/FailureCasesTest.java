package dev.baton.duty.postgres;

import static dev.baton.duty.postgres.PostgresNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.duty.postgres.PostgresNodes.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The ways in which a primary is lost, one after the other on one cluster, whose nodes all start at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailureCasesTest {

    private final List<String> names = List.of("n1", "n2", "n3");
    private final PostgresNodes nodes;

    FailureCasesTest() throws Exception {
        nodes = new PostgresNodes(PostgresSettings.Mode.SYNCHRONOUS, "n1", "n2", "n3");
    }

    @BeforeAll
    void allStartAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Node>> starting = new ArrayList<>();
            names.forEach(name -> starting.add(threads.submit(() -> nodes.join(name))));
            for (Future<Node> each : starting) {
                each.get();
            }
        }
        nodes.execute(nodes.awaitCalm().name(), "CREATE TABLE t (id int PRIMARY KEY)");
    }

    @AfterAll
    void close() throws Exception {
        nodes.close();
    }

    @Test
    void nodesThatStartAtOnceAgreeOnOneDatabaseAndOnePrimary() throws Exception {
        Node primary = nodes.awaitCalm();
        String system = primary.duty().record().systemId();
        for (String name : names) {
            assertThat(nodes.number(name, "SELECT system_identifier FROM pg_control_system()"))
                    .isEqualTo(Long.parseLong(system));
        }
    }

    @Test
    void aHungDatabaseIsKilledAndAnotherTakesOver() throws Exception {
        Node primary = nodes.awaitCalm();
        List<Long> before = nodes.server(primary.name()).processes();

        nodes.onServer(primary.name(), "kill", "-STOP");

        Node next = nodes.awaitPrimaryOtherThan(primary.name());
        assertThat(nodes.server(primary.name()).processes()).doesNotContainAnyElementsOf(before);
        nodes.execute(next.name(), "INSERT INTO t VALUES (1)");
    }

    @Test
    void aPrimaryWhoseDiskIsFullGivesWayToAnother() throws Exception {
        Node primary = nodes.awaitCalm();

        // No write to any file goes through any more, also not after the server was started again.
        await().atMost(PATIENCE).until(() -> {
            nodes.fillDisk(primary.name());
            return names.stream()
                    .anyMatch(name ->
                            !name.equals(primary.name()) && nodes.node(name).isPrimary());
        });

        Node next = nodes.awaitPrimaryOtherThan(primary.name());
        nodes.execute(next.name(), "INSERT INTO t VALUES (2)");
    }

    @Test
    void aStalePrimaryDoesNotWinAgainWithWhatItHas() throws Exception {
        Node stale = nodes.awaitCalm();
        nodes.killServer(stale.name());
        nodes.leave(stale.name());
        Node next = nodes.awaitPrimaryOtherThan(stale.name());
        nodes.execute(next.name(), "INSERT INTO t VALUES (3)");
        int timeline = next.duty().view().timeline();
        for (String name : names) {
            if (!name.equals(stale.name())) {
                nodes.node(name).authority().cut(); // nobody but the stale one could take the seat now
            }
        }
        await().atMost(PATIENCE).until(() -> !next.isPrimary());

        Node back = nodes.join(stale.name());
        await().atMost(PATIENCE).until(() -> back.duty().record().timeline() == timeline);
        await().atMost(PATIENCE)
                .until(() -> back.joined().status().currentHolder().isEmpty());
        assertThat(back.duty().readiness().isReady()).isFalse();
        assertThat(back.isPrimary()).isFalse();

        for (String name : names) {
            nodes.node(name).authority().heal();
        }
        Node primary = nodes.awaitCalm();
        assertThat(primary.name()).isNotEqualTo(stale.name());
        assertThat(nodes.number(primary.name(), "SELECT count(*) FROM t WHERE id = 3"))
                .isEqualTo(1);
    }

    @Test
    void aStandbyCanBeCopiedAnewAndThePrimaryCannot() throws Exception {
        Node primary = nodes.awaitCalm();
        assertThat(primary.duty().reinitialise())
                .hasValueSatisfying(why -> assertThat(why).contains("is the primary (expected: a standby"));
        Node standby = nodes.node(names.stream()
                .filter(name -> !name.equals(primary.name()))
                .findFirst()
                .orElseThrow());
        var before = nodes.server(standby.name()).processes();

        assertThat(standby.duty().reinitialise()).isEmpty();

        await().atMost(PATIENCE)
                .until(() -> standby.streams()
                        && nodes.server(standby.name()).processes().stream().noneMatch(before::contains));
    }
}
