package dev.baton.bench.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A client that inserts a row at a time for as long as it lives, and remembers which ones it was told are there.
 *
 * <p>It knows all servers and finds the primary among them, as libpq and its likes do. A row whose answer was lost is
 * never written again: it may be there or not, and counts neither way.
 */
final class Writer implements AutoCloseable {

    private static final long BETWEEN_ROWS_MILLIS = 5;
    private static final long BETWEEN_TRIES_MILLIS = 20;

    private final String url;
    private final int number;
    private final Thread thread;
    private final List<Long> acknowledged = new ArrayList<>();
    private long lastNanos = System.nanoTime();
    private long longestNanos;
    private int acknowledgedBy;
    private volatile boolean over;

    /** Begins at once. */
    Writer(int number, List<Integer> ports) {
        this.number = number;
        StringBuilder hosts = new StringBuilder();
        ports.forEach(port -> hosts.append(hosts.isEmpty() ? "" : ",").append(Places.SHOWN + ":" + port));
        this.url = "jdbc:postgresql://" + hosts + "/postgres";
        this.thread = Thread.ofPlatform().daemon().name("writer-" + number).start(this::write);
    }

    static Properties properties(String name) {
        Properties properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("password", Machines.PASSWORD);
        properties.setProperty("connectTimeout", "1");
        properties.setProperty("socketTimeout", "1");
        // Else a host that is silent costs a second more: the one to ask whether it would like to speak TLS.
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        properties.setProperty("ApplicationName", name);
        return properties;
    }

    private Connection connect() throws SQLException {
        Properties properties = properties("writer");
        properties.setProperty("targetServerType", "primary");
        properties.setProperty("hostRecheckSeconds", "0");
        return DriverManager.getConnection(url, properties);
    }

    private void write() {
        long row = 0;
        while (!over) {
            try (Connection connection = connect()) {
                int port = portOf(connection);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO bench_rows VALUES (?, ?)")) {
                    while (!over) {
                        row++;
                        insert.setInt(1, number);
                        insert.setLong(2, row);
                        insert.executeUpdate();
                        acknowledge(row, port);
                        TimeUnit.MILLISECONDS.sleep(BETWEEN_ROWS_MILLIS);
                    }
                }
            } catch (SQLException e) {
                pause();
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    private static int portOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW port")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void acknowledge(long row, int port) {
        long nowNanos = System.nanoTime();
        longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
        lastNanos = nowNanos;
        acknowledgedBy = port;
        acknowledged.add(row);
    }

    /** Forgets the gaps so far. */
    synchronized void beginRound() {
        longestNanos = 0;
    }

    /** The longest time without an acknowledgement since the round began, the one that it began in included. */
    synchronized long longestGapNanos() {
        return Math.max(longestNanos, System.nanoTime() - lastNanos);
    }

    /** Whether a row was acknowledged after that moment by another server than this one. */
    synchronized boolean wasServedSince(long nanos, int otherThanPort) {
        return lastNanos - nanos > 0 && acknowledgedBy != otherThanPort;
    }

    synchronized List<Long> acknowledged() {
        return List.copyOf(acknowledged);
    }

    /** How many rows of which this writer was told are not there. */
    long lost(Connection primary) throws SQLException {
        List<Long> told = acknowledged();
        try (PreparedStatement look = primary.prepareStatement(
                "SELECT count(*) FROM unnest(?::bigint[]) AS told (id) WHERE NOT EXISTS (SELECT FROM bench_rows"
                        + " WHERE writer = ? AND row = told.id)")) {
            look.setArray(1, primary.createArrayOf("bigint", told.toArray()));
            look.setInt(2, number);
            try (ResultSet row = look.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
