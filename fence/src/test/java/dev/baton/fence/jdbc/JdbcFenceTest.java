package dev.baton.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Epoch;
import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.HolderProcess;
import dev.baton.fence.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a real PostgreSQL, under READ COMMITTED, its default. INV-1, INV-2. */
class JdbcFenceTest {

    private static PostgresServer postgres;

    private final JdbcFence guard = JdbcFence.of("lines");

    @BeforeAll
    static void start() throws Exception {
        postgres = PostgresServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        postgres.close();
    }

    @BeforeEach
    void emptyTables() throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS baton_fence");
            statement.execute("DROP TABLE IF EXISTS lines");
            JdbcFence.createTable(connection);
            statement.execute("CREATE TABLE lines (line VARCHAR(100))");
            connection.commit();
        }
    }

    private static Fence epoch(long epoch) {
        return Fence.of("demo", "jobs", 1, epoch);
    }

    private Admission write(Fence fence, String line) throws SQLException {
        try (Connection connection = postgres.connect()) {
            Admission admission = guard.admit(connection, fence);
            if (admission.isAdmitted()) {
                insert(connection, line);
                connection.commit();
            }
            return admission;
        }
    }

    private static void insert(Connection connection, String line) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO lines VALUES ('" + line + "')");
        }
    }

    private static List<String> lines() throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT line FROM lines ORDER BY line")) {
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
            return lines;
        }
    }

    @Test
    void lowerEpochsAreRefusedAndWriteNothing() throws SQLException {
        assertThat(write(epoch(5), "a").isAdmitted()).isTrue();
        assertThat(write(epoch(5), "b").isAdmitted()).isTrue();
        assertThat(write(epoch(6), "c").isAdmitted()).isTrue();

        assertThat(write(epoch(5), "late")).isEqualTo(new Admission.Stale(epoch(5), epoch(6)));
        assertThat(write(Fence.of("demo", "other", 9, 9), "other")).isInstanceOf(Admission.OtherSeat.class);
        assertThat(write(Fence.of("demo", "jobs", 2, 1), "d").isAdmitted()).isTrue();
        assertThat(write(epoch(Epoch.MAX_VALUE), "late")).isInstanceOf(Admission.Stale.class);
        assertThat(lines()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void largestEpochsAreToldApart() throws SQLException {
        write(epoch(Epoch.MAX_VALUE), "a");

        assertThat(write(epoch(Epoch.MAX_VALUE - 1), "late")).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void aRollbackTakesTheRaiseBack() throws SQLException {
        write(epoch(5), "a");
        try (Connection connection = postgres.connect()) {
            assertThat(guard.admit(connection, epoch(6)).isAdmitted()).isTrue();
            connection.rollback();
        }

        assertThat(write(epoch(5), "b").isAdmitted()).isTrue();
    }

    @Test
    void aConnectionThatCommitsByItselfIsNotAccepted() throws SQLException {
        try (Connection connection = postgres.connect()) {
            connection.setAutoCommit(true);

            assertThatThrownBy(() -> guard.admit(connection, epoch(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    /** The check must be made on the row as it is when the lock is granted, not as it was when the statement began. */
    @Test
    void whoWaitedForALaterTermIsRefused() throws Exception {
        write(epoch(5), "a");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection later = postgres.connect()) {
            guard.admit(later, epoch(6));
            Future<Admission> earlier = threads.submit(() -> write(epoch(5), "late"));
            awaitSomebodyWaits();
            insert(later, "b");
            later.commit();

            assertThat(earlier.get(30, TimeUnit.SECONDS)).isEqualTo(new Admission.Stale(epoch(5), epoch(6)));
        }
        assertThat(lines()).containsExactly("a", "b");
    }

    @Test
    void whoWaitedForALaterTermsFirstRowIsRefusedInAUsableTransaction() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection later = postgres.connect();
                Connection earlier = postgres.connect()) {
            guard.admit(later, epoch(6));
            Future<Admission> judged = threads.submit(() -> guard.admit(earlier, epoch(5)));
            awaitSomebodyWaits();
            later.commit();

            assertThat(judged.get(30, TimeUnit.SECONDS)).isEqualTo(new Admission.Stale(epoch(5), epoch(6)));
            assertThat(guard.stored(earlier)).contains(epoch(6));
        }
    }

    private static void awaitSomebodyWaits() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
                rows.next();
                return rows.getInt(1) > 0;
            }
        });
    }

    @Test
    void termsOfConcurrentHoldersNeverGoBackwards() throws Exception {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS trail (position SERIAL, epoch BIGINT)");
            statement.execute("TRUNCATE trail");
            connection.commit();
        }
        int holders = 8;
        CountDownLatch together = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int holder = 1; holder <= holders; holder++) {
                Fence fence = epoch(holder);
                running.add(threads.submit(() -> {
                    together.await();
                    writeTrailUntilRefusedOrDone(fence);
                    return null;
                }));
            }
            together.countDown();
            for (Future<?> holder : running) {
                holder.get(60, TimeUnit.SECONDS);
            }
        }
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT epoch FROM trail ORDER BY position")) {
            List<Long> epochs = new ArrayList<>();
            while (rows.next()) {
                epochs.add(rows.getLong(1));
            }
            assertThat(epochs).isSorted().endsWith((long) holders);
        }
    }

    private void writeTrailUntilRefusedOrDone(Fence fence) throws SQLException {
        try (Connection connection = postgres.connect()) {
            for (int i = 0; i < 40 && guard.admit(connection, fence).isAdmitted(); i++) {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("INSERT INTO trail (epoch) VALUES (" + fence.epoch() + ")");
                }
                connection.commit();
            }
        }
    }

    @Test
    void aHolderThatWasPausedAndReplacedIsRefusedWhenItWakes() throws Exception {
        try (HolderProcess old = HolderProcess.start(JdbcHolder.class, postgres.url(), epoch(1).toString())) {
            assertThat(old.ask("write old-1")).isEqualTo("wrote");
            old.pause();
            old.order("write old-2");
            assertThat(write(epoch(2), "new-1").isAdmitted()).isTrue();
            old.wake();

            assertThat(old.answer()).startsWith("refused: fence: demo/jobs/1/1 (expected: demo/jobs/1/2 or higher");
        }
        assertThat(lines()).containsExactly("new-1", "old-1");
    }

    /** It holds the row's lock while it sleeps; the database's own time limit for such transactions frees it. */
    @Test
    void aHolderThatWasPausedWithinItsTransactionLosesIt() throws Exception {
        try (HolderProcess old = HolderProcess.start(JdbcHolder.class, postgres.url(), epoch(1).toString())) {
            assertThat(old.ask("begin old-1")).isEqualTo("wrote");
            old.pause();
            old.order("commit");
            assertThat(write(epoch(2), "new-1").isAdmitted()).isTrue();
            old.wake();

            assertThat(old.answer()).startsWith("failed: ");
        }
        assertThat(lines()).containsExactly("new-1");
    }
}
