package dev.baton.fence.jdbc;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Optional;

/**
 * The fence of one resource in a database: a row of the table {@code baton_fence}.
 *
 * <p>{@link #admit} belongs into the transaction that it guards, before that transaction's first statement. It locks the
 * row until the transaction ends, so that no later term is admitted between the check and the write; a transaction that
 * is rolled back takes its raise back as well. It needs no isolation above READ COMMITTED: the check is the condition of
 * an update, which a database evaluates on the row as it is when the lock is granted. Stricter isolation may answer with
 * a serialization failure instead, which is safe.
 *
 * <p>Thread-safe; it keeps no state but the resource's name.
 */
public final class JdbcFence {

    /** How the table is made; for migration tools. */
    public static final String TABLE = """
            CREATE TABLE baton_fence (
                resource VARCHAR(200) NOT NULL PRIMARY KEY,
                cluster_name VARCHAR(63) NOT NULL,
                seat_name VARCHAR(63) NOT NULL,
                era INTEGER NOT NULL,
                epoch BIGINT NOT NULL
            )""";

    private static final String RAISE = """
            UPDATE baton_fence SET era = ?, epoch = ?
            WHERE resource = ? AND cluster_name = ? AND seat_name = ? AND (era < ? OR (era = ? AND epoch <= ?))""";

    private static final String FIRST =
            "INSERT INTO baton_fence (era, epoch, resource, cluster_name, seat_name) VALUES (?, ?, ?, ?, ?)";

    private static final String READ = "SELECT cluster_name, seat_name, era, epoch FROM baton_fence WHERE resource = ?";

    /** SQL's class of violated constraints. */
    private static final String CONSTRAINT_CLASS = "23";

    /** The row can appear or vanish between two statements, but not for ever. */
    private static final int ATTEMPTS = 10;

    private final String resource;

    private JdbcFence(String resource) {
        this.resource = resource;
    }

    /** The fence of the named resource: one for everything that one seat's holder writes. */
    public static JdbcFence of(String resource) {
        if (resource.isEmpty() || resource.length() > 200) {
            throw new IllegalArgumentException("resource: \"" + resource + "\" (expected: 1 to 200 characters)");
        }
        return new JdbcFence(resource);
    }

    /** Makes the table; fails if there is one. */
    public static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    /**
     * Checks the fence and raises the stored one, as part of the connection's transaction.
     *
     * <p>Blocks while another transaction that was admitted is open. If refused, nothing was changed, and the caller
     * rolls its transaction back.
     */
    public Admission admit(Connection connection, Fence fence) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "connection: in auto-commit mode (expected: setAutoCommit(false), because the fence guards only what"
                            + " is committed together with it)");
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (raise(connection, fence)) {
                return new Admission.Admitted(fence);
            }
            Optional<Fence> stored = stored(connection);
            if (stored.isEmpty()) {
                if (insert(connection, fence)) {
                    return new Admission.Admitted(fence);
                }
            } else if (fence.against(stored) instanceof Admission.Refused refused) {
                return refused;
            }
        }
        throw new SQLException(
                "baton_fence: the row of \"" + resource + "\" came and went " + ATTEMPTS
                        + " times (expected: nobody deletes it while holders write)",
                "40001");
    }

    /** The highest fence that was committed, or is part of this connection's transaction. */
    public Optional<Fence> stored(Connection connection) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement(READ)) {
            read.setString(1, resource);
            try (ResultSet rows = read.executeQuery()) {
                return rows.next()
                        ? Optional.of(Fence.of(rows.getString(1), rows.getString(2), rows.getInt(3), rows.getLong(4)))
                        : Optional.empty();
            }
        }
    }

    private boolean raise(Connection connection, Fence fence) throws SQLException {
        try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
            fill(raise, fence);
            raise.setInt(6, fence.era());
            raise.setInt(7, fence.era());
            raise.setLong(8, fence.epoch().value());
            return raise.executeUpdate() == 1;
        }
    }

    /** False if another one was first. The savepoint keeps the caller's transaction usable then. */
    private boolean insert(Connection connection, Fence fence) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try (PreparedStatement first = connection.prepareStatement(FIRST)) {
            fill(first, fence);
            first.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith(CONSTRAINT_CLASS)) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
    }

    private void fill(PreparedStatement statement, Fence fence) throws SQLException {
        statement.setInt(1, fence.era());
        statement.setLong(2, fence.epoch().value());
        statement.setString(3, resource);
        statement.setString(4, fence.cluster());
        statement.setString(5, fence.seatName());
    }
}
