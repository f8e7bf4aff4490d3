package dev.baton.cli.up;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a row now and then to whichever server is the primary, and holds what is there at the end against it. */
final class PostgresOnlooker implements Onlooker {

    private static final int MOST_FINDINGS = 20;
    private static final Duration SETTLE = Duration.ofSeconds(20);

    private final ClusterFolder folder;
    private final long firstId = System.currentTimeMillis() * 1000;
    private final List<String> findings = new ArrayList<>();
    private @Nullable Thread writing;
    private @Nullable Connection open;
    private long rows;
    private long failures;
    private Last last = new Last("", 0, 0, 0);

    /** What the end looks like; {@code primary} is empty if nobody serves. */
    private record Last(String primary, long standbys, long lagBytes, long lost) {}

    PostgresOnlooker(ClusterFolder folder) {
        this.folder = folder;
    }

    /** What to give to {@code psql}: it finds the primary by itself. */
    static String libpq(ClusterFolder folder) {
        List<Integer> ports = ports(folder);
        return "host="
                + String.join(",", ports.stream().map(port -> "127.0.0.1").toList())
                + " port=" + ports.stream().map(String::valueOf).collect(Collectors.joining(","))
                + " user=postgres dbname=postgres target_session_attrs=read-write";
    }

    private static List<Integer> ports(ClusterFolder folder) {
        return folder.file().nodes().stream()
                .map(member -> member.ports().duty())
                .toList();
    }

    private record SeenRow(long row, String primary, long tookMicros) implements Seen {
        @Override
        public String toLine() {
            return "row " + row + "  at " + primary + " in " + tookMicros / 1000 + "." + tookMicros / 100 % 10 + " ms";
        }

        @Override
        public ObjectNode toJson() {
            return Json.object().put("row", row).put("primary", primary).put("micros", tookMicros);
        }
    }

    /** As one that looks at servers sees it. */
    private record Rows(long rows, long failures, Last last, long expectedStandbys, List<String> findings)
            implements Tally {
        @Override
        public boolean passed() {
            return rows > 0 && last.lost() == 0 && !last.primary().isEmpty() && last.standbys() == expectedStandbys;
        }

        @Override
        public Map<String, Long> counts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("standbys", last.standbys());
            counts.put("lagBytes", last.lagBytes());
            counts.put("rows", rows);
            counts.put("lost", last.lost());
            counts.put("failures", failures);
            return counts;
        }

        @Override
        public String sentence() {
            return rows + " rows, " + last.lost() + " lost, " + failures + " failures, primary "
                    + (last.primary().isEmpty() ? "none" : last.primary()) + ", " + last.standbys() + " standbys, "
                    + last.lagBytes() + " bytes behind";
        }

        @Override
        public ObjectNode toJson() {
            ObjectNode json =
                    Json.object().put("verdict", passed() ? "PASS" : "FAIL").put("primary", last.primary());
            counts().forEach(json::put);
            if (!findings.isEmpty()) {
                ArrayNode all = json.putArray("findings");
                findings.forEach(all::add);
            }
            return json;
        }
    }

    @Override
    public void start(Reporter reporter) {
        writing = Thread.ofPlatform().daemon().name("rows").start(() -> writeOnAndOn(reporter));
    }

    private void writeOnAndOn(Reporter reporter) {
        boolean begun = false;
        while (!Thread.currentThread().isInterrupted()) {
            long beganNanos = System.nanoTime();
            try {
                Connection connection = connection();
                try (Statement statement = connection.createStatement()) {
                    if (!begun) {
                        statement.execute("CREATE TABLE IF NOT EXISTS baton_up (id bigint PRIMARY KEY)");
                        begun = true;
                    }
                    statement.execute(
                            "INSERT INTO baton_up VALUES (" + (firstId + count()) + ") ON CONFLICT DO NOTHING");
                }
                written();
                reporter.seen(new SeenRow(count(), node(connection), (System.nanoTime() - beganNanos) / 1000));
            } catch (SQLException | IOException e) {
                disconnect();
                if (begun) { // before that the database is being made
                    failed(String.valueOf(e.getMessage()));
                }
            }
            try {
                Thread.sleep(folder.settings().interval());
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    private Connection connection() throws SQLException, IOException {
        Connection current = open;
        if (current == null || current.isClosed()) {
            Properties properties = new Properties();
            properties.setProperty("user", "postgres");
            properties.setProperty(
                    "password", UpPasswords.superuser(folder.settings().data()));
            properties.setProperty("targetServerType", "primary");
            properties.setProperty("loginTimeout", "3");
            properties.setProperty("connectTimeout", "2");
            properties.setProperty("socketTimeout", "10");
            properties.setProperty("hostRecheckSeconds", "0");
            String hosts =
                    ports(folder).stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
            current = DriverManager.getConnection("jdbc:postgresql://" + hosts + "/postgres", properties);
            open = current;
        }
        return current;
    }

    private void disconnect() {
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

    private String node(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW port")) {
            row.next();
            int port = row.getInt(1);
            return folder.file().nodes().stream()
                    .filter(member -> member.ports().duty() == port)
                    .map(member -> member.node())
                    .findFirst()
                    .orElse("");
        }
    }

    private synchronized long count() {
        return rows;
    }

    private synchronized void written() {
        rows++;
    }

    private synchronized void failed(String why) {
        failures++;
        if (findings.size() < MOST_FINDINGS) {
            findings.add("no row: " + why);
        }
    }

    @Override
    public synchronized Tally tally() {
        return new Rows(rows, failures, last, folder.file().nodes().size() - 1L, List.copyOf(findings));
    }

    /** Looks for every row that was acknowledged, and waits until the standbys stream. */
    @Override
    public void conclude(Predicate<String> isUp, Duration patience) throws InterruptedException {
        end();
        long untilNanos = System.nanoTime() + SETTLE.toNanos();
        long expected = folder.file().nodes().size() - 1L;
        while (!patience.isZero()) {
            try {
                Last seen = look();
                keep(seen);
                if (seen.standbys() == expected) {
                    return;
                }
            } catch (SQLException | IOException e) {
                disconnect();
            }
            if (System.nanoTime() - untilNanos > 0) {
                return;
            }
            Thread.sleep(200);
        }
    }

    private synchronized void keep(Last seen) {
        last = seen;
    }

    private Last look() throws SQLException, IOException {
        Connection connection = connection();
        long written = count();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT (SELECT count(*) FROM pg_stat_replication WHERE state ="
                        + " 'streaming' AND application_name <> 'pg_basebackup'),"
                        + " (SELECT coalesce(max(pg_current_wal_lsn() - replay_lsn), 0)::bigint FROM pg_stat_replication),"
                        + " (SELECT count(*) FROM baton_up WHERE id >= " + firstId + " AND id < " + (firstId + written)
                        + ")")) {
            row.next();
            return new Last(node(connection), row.getLong(1), Math.max(0, row.getLong(2)), written - row.getLong(3));
        }
    }

    private void end() throws InterruptedException {
        Thread running = writing;
        if (running != null) {
            running.interrupt();
            running.join(Duration.ofSeconds(12));
        }
    }

    @Override
    public void close() {
        Thread running = writing;
        if (running != null) {
            running.interrupt();
        }
        disconnect();
    }
}
