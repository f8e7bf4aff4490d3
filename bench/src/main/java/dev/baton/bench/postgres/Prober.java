package dev.baton.bench.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * Tries to write to one server, again and again, whether or not it should take it.
 *
 * <p>It stands beside the server, on its side of the cable: who is cut off from everybody else still has clients there.
 * It waits for no standby: a write that only the server itself has is a second primary's, too.
 */
final class Prober implements AutoCloseable {

    private static final long EVERY_MILLIS = 50;

    private final Places machine;
    private final Sightings sightings;
    private final Thread thread;
    private volatile boolean over;

    Prober(Places machine, Sightings sightings) {
        this.machine = machine;
        this.sightings = sightings;
        this.thread =
                Thread.ofPlatform().daemon().name("prober-" + machine.name()).start(this::probe);
    }

    private void probe() {
        while (!over) {
            try (Connection connection = DriverManager.getConnection(
                            "jdbc:postgresql://" + Places.BEHIND + ":" + machine.postgres() + "/postgres",
                            Writer.properties("prober"));
                    Statement statement = connection.createStatement()) {
                while (!over) {
                    write(statement);
                    TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                }
            } catch (SQLException e) {
                if (!rest()) {
                    return;
                }
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    private boolean rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            return true;
        } catch (InterruptedException e) {
            return false; // closed
        }
    }

    private void write(Statement statement) throws SQLException {
        try (ResultSet standby = statement.executeQuery("SELECT pg_is_in_recovery()")) {
            standby.next();
            if (standby.getBoolean(1)) {
                return; // PostgreSQL itself refuses writes then
            }
        }
        long begunNanos = System.nanoTime();
        statement.execute("SET synchronous_commit = 'local'");
        // After a promotion the server writes on the new timeline from its first record on.
        try (ResultSet row = statement.executeQuery("UPDATE bench_probe SET times = times + 1 RETURNING"
                + " ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int")) {
            row.next();
            int timeline = row.getInt(1);
            sightings.add(new Sightings.Taken(machine.name(), timeline, begunNanos, System.nanoTime()));
        }
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
