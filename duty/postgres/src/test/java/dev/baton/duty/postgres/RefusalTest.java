package dev.baton.duty.postgres;

import static dev.baton.duty.postgres.PostgresNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.core.standing.Readiness;
import dev.baton.duty.postgres.PostgresNodes.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What cannot be served is refused in words, and no data are touched. */
class RefusalTest {

    @Test
    void missingProgramsAndPasswordsAndAnotherVersionsDataAreRefused() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1")) {
            PostgresSettings good = nodes.settings("n1");
            assertThatThrownBy(() -> PostgresDuty.open(
                            with(good, Path.of("/no/such"), good.superuserPassword()), PostgresNodes.TIMINGS))
                    .hasMessageContaining("postgres.programs: /no/such without postgres,");
            Path some = Files.createDirectories(nodes.home().resolve("some"));
            for (String program : new String[] {"postgres", "initdb", "pg_basebackup", "pg_controldata"}) {
                Files.createSymbolicLink(some.resolve(program), good.programs().resolve(program));
            }
            assertThatThrownBy(
                            () -> PostgresDuty.open(with(good, some, good.superuserPassword()), PostgresNodes.TIMINGS))
                    .hasMessageContaining("postgres.programs: " + some + " without pg_rewind (expected:");
            assertThatThrownBy(() ->
                            PostgresDuty.open(with(good, good.programs(), Path.of("/no/such")), PostgresNodes.TIMINGS))
                    .hasMessageContaining("superuser-password-file: /no/such (expected:");
            Path data = Files.createDirectories(good.data());
            Files.writeString(data.resolve("PG_VERSION"), "9.6\n");
            assertThatThrownBy(() -> nodes.open("n1"))
                    .hasMessageContaining("written by PostgreSQL 9.6")
                    .hasMessageContaining("nothing in it was touched");
            assertThat(data).isDirectoryContaining("glob:**/PG_VERSION");
        }
    }

    @Test
    void theDataOfAnotherDatabaseSystemAreNeitherUsedNorTouched() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1", "n2")) {
            PostgresSettings other = nodes.settings("n2");
            Programs programs = new Programs(other);
            programs.prepare();
            DataFolder foreign = new DataFolder(other, programs);
            foreign.initialise();
            foreign.published();
            String system = foreign.control().systemId();

            nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            Node second = nodes.join("n2");
            await().atMost(PATIENCE)
                    .until(() -> second.duty().readiness() instanceof Readiness.NotReady(String why)
                            && why.contains("belongs to the database system " + system));
            assertThat(foreign.control().systemId()).isEqualTo(system);
        }
    }

    /** A node that lost its term while it made the first database stayed out for ever, beside the one made after it. */
    @Test
    void aDatabaseThatWasNeverPublishedGivesWayToTheOneThatTheLedgerNames() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1", "n2")) {
            PostgresSettings good = nodes.settings("n2");
            Node second = nodes.join("n2", with(good, good.programs(), good.superuserPassword(), false));
            second.joined().pause("so that it does not take the seat"); // as one does not that has just been fenced
            DataFolder made = new DataFolder(good, new Programs(good));
            made.initialise();
            String system = made.control().systemId();
            await().atMost(PATIENCE).until(() -> second.duty().view().running());

            nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");

            await().atMost(PATIENCE).until(second::streams);
            assertThat(made.control().systemId())
                    .isNotEqualTo(system)
                    .isEqualTo(second.duty().record().systemId());
        }
    }

    /** One that restarted before it heard that its first record was committed threw the only database away. */
    @Test
    void aDatabaseThatTheLedgerNamesIsKeptByAMakerThatDidNotHearOfIt() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1")) {
            nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            nodes.execute("n1", "CREATE TABLE t (id int)");
            nodes.leave("n1");
            Path mark = nodes.settings("n1").folder().resolve("unpublished");
            Files.writeString(mark, "");

            nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            nodes.execute("n1", "INSERT INTO t VALUES (1)");
            assertThat(mark).doesNotExist();
        }
    }

    /** The same before anything was committed: what was made is used, and one that was half made is in nobody's way. */
    @Test
    void aDatabaseThatWasMadeBeforeARestartBecomesTheFirst() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1", "n2")) {
            PostgresSettings first = nodes.settings("n1");
            Programs programs = new Programs(first);
            programs.prepare();
            Files.createDirectories(first.folder().resolve("making").resolve("base"));
            DataFolder made = new DataFolder(first, programs);
            made.initialise();
            String system = made.control().systemId();

            Node node = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            assertThat(node.duty().record().systemId()).isEqualTo(system);
            assertThat(made.isUnpublished()).isFalse();
        }
    }

    @Test
    void wrongPasswordsAndExhaustedSlotsAreNamedAndThePrimaryServesOn() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(
                PostgresSettings.Mode.ASYNCHRONOUS, Map.of("max_replication_slots", "1"), "n1", "n2", "n3")) {
            Node first = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            await().atMost(PATIENCE)
                    .until(() -> first.duty()
                            .view()
                            .note()
                            .startsWith("serves, but has no replication slot for n3, because all are in use"));
            nodes.execute("n1", "CREATE TABLE t (id int)");

            // Both passwords are another's: it cannot even copy.
            Files.writeString(nodes.home().resolve("wrong"), "wrong\n");
            PostgresSettings good = nodes.settings("n2");
            Node second =
                    nodes.join("n2", with(good, good.programs(), nodes.home().resolve("wrong")));
            await().atMost(PATIENCE)
                    .until(() -> second.duty().readiness() instanceof Readiness.NotReady(String why)
                            && why.contains("password authentication failed for user \"baton_replication\""));
            assertThat(good.data()).doesNotExist();
            nodes.leave("n2");

            // The copy succeeds with the right ones; with the wrong one afterwards the server is not touched.
            nodes.join("n2");
            await().atMost(PATIENCE).until(() -> nodes.node("n2").streams());
            nodes.leave("n2");
            Node changed =
                    nodes.join("n2", with(good, good.programs(), nodes.home().resolve("wrong")));
            await().atMost(PATIENCE)
                    .until(() -> changed.duty().readiness() instanceof Readiness.NotReady(String why)
                            && why.contains("postgres.superuser-password-file: the server at 127.0.0.1:"));
            nodes.execute("n1", "INSERT INTO t VALUES (1)");
        }
    }

    private static PostgresSettings with(PostgresSettings good, Path programs, Path password) {
        return with(good, programs, password, good.initialise());
    }

    private static PostgresSettings with(PostgresSettings good, Path programs, Path password, boolean initialise) {
        return new PostgresSettings(
                good.node(),
                programs,
                good.folder(),
                good.listen(),
                good.port(),
                good.advertise(),
                good.user(),
                password,
                password.endsWith("wrong") ? password : good.replicationPassword(),
                good.peers(),
                initialise,
                good.mode(),
                good.maxLagBytes(),
                good.parameters(),
                good.access(),
                good.stops(),
                good.hooks());
    }
}
