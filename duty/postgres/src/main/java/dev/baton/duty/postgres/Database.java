package dev.baton.duty.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A running server, asked and told over a connection of its own. For one thread; every call may block for the timeout. */
final class Database implements AutoCloseable {

    /** The role with which standbys connect. */
    static final String REPLICATION = "baton_replication";

    /** How one server is. */
    record Look(boolean standby, int timeline, Lsn position, boolean streaming) {}

    /** A standby as its primary sees it. */
    record Follower(String node, Lsn flushed, boolean synchronous) {}

    private static final String WRONG_PASSWORD = "28P01";
    private static final String LIMIT_REACHED = "53400";

    private final String host;
    private final int port;
    private final String password;
    private final Duration timeout;
    private @Nullable Connection open;

    Database(String host, int port, String password, Duration timeout) {
        this.host = host;
        this.port = port;
        this.password = password;
        this.timeout = timeout;
    }

    private Connection connection() throws SQLException {
        Connection current = open;
        if (current != null && !current.isClosed()) {
            return current;
        }
        String seconds = Long.toString(Math.max(1, timeout.toSeconds()));
        Properties properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("ApplicationName", "baton");
        Connection fresh =
                DriverManager.getConnection("jdbc:postgresql://" + host + ":" + port + "/postgres", properties);
        // The properties above know whole seconds only.
        fresh.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
        open = fresh;
        return fresh;
    }

    private interface Work<T> {
        T with(Statement statement) throws SQLException;
    }

    /** A connection on which something failed is not used again. */
    private <T> T with(Work<T> work) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            return work.with(statement);
        } catch (SQLException e) {
            close();
            if (WRONG_PASSWORD.equals(e.getSQLState())) {
                throw new SQLException(
                        "postgres.superuser-password-file: the server at " + host + ":" + port
                                + " refuses the password in it (expected: the one that the database has for the role"
                                + " postgres)",
                        e.getSQLState(),
                        e);
            }
            throw e;
        }
    }

    Look look() throws SQLException {
        return with(statement -> {
            try (ResultSet row = statement.executeQuery("""
                    SELECT r.standby,
                           CASE WHEN r.standby THEN greatest(c.timeline_id, m.min_recovery_end_timeline, w.received_tli)
                                ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END,
                           CASE WHEN r.standby THEN greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn(), '0/0')
                                ELSE pg_current_wal_flush_lsn() END,
                           coalesce(w.status = 'streaming', false)
                      FROM (SELECT pg_is_in_recovery() AS standby) r, pg_control_checkpoint() c, pg_control_recovery() m
                           LEFT JOIN pg_stat_wal_receiver w ON true""")) {
                row.next();
                return new Look(row.getBoolean(1), row.getInt(2), Lsn.parse(row.getString(3)), row.getBoolean(4));
            }
        });
    }

    /** Begins the promotion; {@link #look} tells when it is done. */
    void promote() throws SQLException {
        execute("SELECT pg_promote(false)");
    }

    /** Proves that the primary can write, to its own disk: what standbys do is not its health. */
    void write() throws SQLException {
        with(statement -> {
            statement.execute("SET synchronous_commit = 'local'");
            statement.execute(
                    "INSERT INTO baton.pulse VALUES (true, now()) ON CONFLICT (one) DO UPDATE SET at = now()");
            return true;
        });
    }

    /** Makes what the nodes need in a database that has just become a primary; changes nothing that is there. */
    void furnish(String replicationPassword) throws SQLException {
        String secret = replicationPassword.replace("'", "''");
        with(statement -> {
            statement.execute("SET synchronous_commit = 'local'");
            statement.execute("CREATE SCHEMA IF NOT EXISTS baton");
            statement.execute("CREATE TABLE IF NOT EXISTS baton.pulse (one boolean PRIMARY KEY, at timestamptz)");
            statement.execute("DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '" + REPLICATION
                    + "') THEN CREATE ROLE " + REPLICATION + " LOGIN REPLICATION; END IF; END $$");
            statement.execute("ALTER ROLE " + REPLICATION + " LOGIN REPLICATION PASSWORD '" + secret + "'");
            return true;
        });
    }

    /** Makes the slots that are not there; returns those that the server has no room for. */
    List<String> createSlots(List<String> slots) throws SQLException {
        List<String> refused = new ArrayList<>();
        for (String slot : slots) {
            try {
                execute("SELECT pg_create_physical_replication_slot('" + slot
                        + "', true) WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '" + slot
                        + "')");
            } catch (SQLException e) {
                if (!LIMIT_REACHED.equals(e.getSQLState())) {
                    throw e;
                }
                refused.add(slot);
            }
        }
        return refused;
    }

    /** A standby that kept the slots of its time as primary would keep the log for ever. */
    void dropSlots() throws SQLException {
        execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                + " WHERE slot_type = 'physical' AND NOT active");
    }

    List<Follower> followers() throws SQLException {
        return with(statement -> {
            List<Follower> followers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT application_name, coalesce(flush_lsn, '0/0'),"
                    + " sync_state IN ('sync', 'quorum') FROM pg_stat_replication WHERE state = 'streaming'")) {
                while (rows.next()) {
                    followers.add(new Follower(rows.getString(1), Lsn.parse(rows.getString(2)), rows.getBoolean(3)));
                }
            }
            return followers;
        });
    }

    void checkpoint() throws SQLException {
        execute("CHECKPOINT");
    }

    void reload() throws SQLException {
        execute("SELECT pg_reload_conf()");
    }

    private void execute(String sql) throws SQLException {
        with(statement -> statement.execute(sql));
    }

    @Override
    public void close() {
        Connection current = open;
        open = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // It was broken already.
            }
        }
    }
}
