package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.NodeFacts;
import dev.baton.chaos.cluster.SeatYaml;
import dev.baton.chaos.history.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL beside each node: clients write rows, and a prober at each node finds out whether its database takes any. */
final class PostgresKind implements DutyKind {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration CREATION = Duration.ofMinutes(1);
    private static final int CLIENTS = 3;
    private static final int PAGE = 1000;
    private static final String SUPERUSER = "superuser-password";
    private static final String REPLICATION = "replication-password";

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public String seat() {
        return "pg";
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    /** One standby has everything at a time, and only that one may lead. */
    @Override
    public boolean everyFollowerBecomesReady() {
        return false;
    }

    @Override
    public String seats(NodeFacts node) {
        // Time to stop a server for sure is part of the delay.
        return SeatYaml.seat(seat(), name(), LEASE)
                .append("      stop: 2s\n    postgres:\n      mode: synchronous\n      listen: ")
                .append(node.listen())
                .append("\n      superuser-password-file: ../")
                .append(SUPERUSER)
                .append("\n      replication-password-file: ../")
                .append(REPLICATION)
                .append("\n      stop:\n        fast: 1s\n        immediate: 400ms\n        kill: 600ms\n")
                .toString();
    }

    @Override
    public void furnish(Path all, Path node) throws IOException {
        Files.writeString(all.resolve(SUPERUSER), Databases.PASSWORD + "\n");
        Files.writeString(all.resolve(REPLICATION), Databases.PASSWORD + "\n");
        // As root, servers run as another user, who has to get through to their folders.
        letThrough(all);
        letThrough(node);
    }

    private static void letThrough(Path folder) throws IOException {
        Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(folder));
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(folder, permissions);
        }
    }

    @Override
    public void prepare(Cluster cluster) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + CREATION.toNanos();
        String last = "";
        try (Databases databases = new Databases()) {
            while (System.nanoTime() - deadlineNanos < 0) {
                for (String node : cluster.nodes()) {
                    try {
                        databases.makeTable(cluster.dutyBehind(node));
                        return;
                    } catch (SQLException e) {
                        last = e.toString(); // a standby, or not there yet
                    }
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
        throw new IOException("the table cannot be made: " + last);
    }

    @Override
    public List<Client> clients(Scene scene, long seed) {
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(Writer.client("c" + i, seed, scene));
        }
        scene.cluster().nodes().forEach(node -> clients.add(Writer.prober(node, seed, scene)));
        return clients;
    }

    /** Every database can be read, and none has more rows than another. */
    @Override
    public boolean isSettled(Cluster cluster) throws IOException {
        Set<Long> counts = new HashSet<>();
        try (Databases databases = new Databases()) {
            for (String node : cluster.nodes()) {
                counts.add(databases.count(cluster.dutyBehind(node)));
            }
        } catch (SQLException e) {
            throw new IOException("a database cannot be read: " + e.getMessage(), e);
        }
        return counts.size() == 1;
    }

    @Override
    public void takeStock(Scene scene, String node) throws IOException {
        long atNanos = scene.recorder().nowNanos();
        try (Databases databases = new Databases()) {
            List<String> rows = databases.rows(scene.cluster().dutyBehind(node));
            for (int from = 0; from < rows.size() || from == 0; from += PAGE) {
                scene.recorder()
                        .append(new Event.FinalRows(
                                atNanos, node, rows.subList(from, Math.min(rows.size(), from + PAGE))));
            }
        } catch (SQLException e) {
            throw new IOException("its rows: " + e.getMessage(), e);
        }
    }
}
