package dev.baton.chaos.workload;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Connections to the nodes' databases, one for each, kept while they are good. For one thread. */
final class Databases implements AutoCloseable {

    static final String PASSWORD = "not a secret here";

    /** Says on which timeline the row was written: the first eight digits of the log file that it went to. */
    private static final String INSERT = "INSERT INTO chaos_rows (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET tries ="
            + " chaos_rows.tries + 1 RETURNING substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

    private static final int HEXADECIMAL = 16;

    private final Map<String, Connection> open = new HashMap<>();

    private Connection to(String address) throws SQLException {
        Connection known = open.get(address);
        if (known != null) {
            return known;
        }
        Properties properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("password", PASSWORD);
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("loginTimeout", "3");
        properties.setProperty("socketTimeout", "3");
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        Connection made = DriverManager.getConnection("jdbc:postgresql://" + address + "/postgres", properties);
        open.put(address, made);
        return made;
    }

    private interface Use<T> {
        T with(Connection connection) throws SQLException;
    }

    /** One that failed is not used again: what comes back on it may belong to another question. */
    private <T> T at(String address, Use<T> use) throws SQLException {
        try {
            return use.with(to(address));
        } catch (SQLException e) {
            forget(address);
            throw e;
        }
    }

    private void forget(String address) {
        Connection broken = open.remove(address);
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                // Gone is gone.
            }
        }
    }

    void makeTable(String address) throws SQLException {
        at(address, connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(
                        "CREATE TABLE IF NOT EXISTS chaos_rows (id text PRIMARY KEY, tries int NOT NULL DEFAULT 0)");
            }
        });
    }

    /** Writes a row and returns when it is committed; the answer is the timeline. */
    long write(String address, String row) throws SQLException {
        return at(address, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
                statement.setString(1, row);
                try (ResultSet told = statement.executeQuery()) {
                    told.next();
                    return Long.parseLong(told.getString(1), HEXADECIMAL);
                }
            }
        });
    }

    List<String> rows(String address) throws SQLException {
        return at(address, connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT id FROM chaos_rows ORDER BY id")) {
                List<String> rows = new ArrayList<>();
                while (found.next()) {
                    rows.add(found.getString(1));
                }
                return rows;
            }
        });
    }

    long count(String address) throws SQLException {
        return at(address, connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT count(*) FROM chaos_rows")) {
                found.next();
                return found.getLong(1);
            }
        });
    }

    @Override
    public void close() {
        List.copyOf(open.keySet()).forEach(this::forget);
    }
}
