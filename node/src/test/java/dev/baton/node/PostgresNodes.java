package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.process.Ladder;
import dev.baton.process.Rung;
import dev.baton.process.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Three nodes in processes of their own, over Raft, each with a real PostgreSQL; n1 is where the primary belongs. */
final class PostgresNodes implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(90);
    static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    record Ports(int grpc, int http, int raft, int postgres, int admin) {}

    private final Map<String, Ports> ports = new LinkedHashMap<>();
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final Path folder;
    private final Programs programs;
    private final String pulseTimeout;

    /** Where a node finds PostgreSQL's programs; nothing if it is to look by itself. */
    @FunctionalInterface
    interface Programs {
        Optional<Path> of(String node, Path folder) throws IOException;
    }

    private PostgresNodes(Programs programs, String pulseTimeout) throws IOException {
        this.programs = programs;
        this.pulseTimeout = pulseTimeout;
        // Not in a @TempDir: those are closed to the user that the servers run as.
        folder = Files.createTempDirectory("baton-pg-nodes").toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Files.writeString(folder.resolve("superuser"), "secret1\n");
        Files.writeString(folder.resolve("replication"), "secret2\n");
        List<Integer> free = TestCluster.freePorts(5 * NAMES.size());
        for (int i = 0; i < NAMES.size(); i++) {
            ports.put(
                    NAMES.get(i),
                    new Ports(
                            free.get(5 * i),
                            free.get(5 * i + 1),
                            free.get(5 * i + 2),
                            free.get(5 * i + 3),
                            free.get(5 * i + 4)));
        }
    }

    /**
     * Starts all three.
     *
     * @param pulseTimeout how long a pulse may take, such as {@code 1s}: the longer, the less does a busy machine matter
     */
    static PostgresNodes start(Programs programs, String pulseTimeout) throws IOException {
        PostgresNodes nodes = new PostgresNodes(programs, pulseTimeout);
        for (String name : NAMES) {
            nodes.start(name);
        }
        return nodes;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (Process process : processes.values()) {
            process.destroyForcibly().waitFor();
        }
        Ladder kill = new Ladder(List.of(new Rung.Kill("kill", PATIENCE)));
        for (String name : NAMES) {
            var unused = kill.climb(workload(name));
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    Ports at(String name) {
        return Objects.requireNonNull(ports.get(name));
    }

    Workload workload(String name) {
        return new Workload.InFolder(folder.resolve(name).resolve("postgres").resolve("data"));
    }

    private String yaml(String name) throws IOException {
        StringBuilder text = new StringBuilder("cluster: demo\nnode: " + name + "\ndata: " + name + "\n");
        text.append("listen: {grpc: \"127.0.0.1:" + at(name).grpc() + "\", http: \"127.0.0.1:" + at(name).http()
                + "\", raft: \"127.0.0.1:" + at(name).raft() + "\", admin: \"127.0.0.1:" + at(name).admin() + "\"}\n");
        text.append("authority:\n  kind: raft\n  start: bootstrap\n");
        text.append("  election-timeout-min: 1s\n  election-timeout-max: 2s\n  peers:\n");
        ports.forEach((node, port) -> text.append("    " + node + ": \"127.0.0.1:" + port.raft() + "\"\n"));
        text.append("seats:\n  - name: pg\n    duty: postgres\n    pulse: {interval: 500ms, timeout: " + pulseTimeout
                + "}\n");
        text.append(
                "    postgres:\n      mode: synchronous\n      listen: \"127.0.0.1:" + at(name).postgres() + "\"\n");
        text.append("      superuser-password-file: superuser\n      replication-password-file: replication\n");
        text.append("      parameters: {shared_buffers: 16MB}\n      preferred: n1\n      preferred-after: 1s\n");
        programs.of(name, folder).ifPresent(path -> text.append("      programs: " + path + "\n"));
        text.append("peers:\n");
        ports.forEach((node, port) -> text.append("  " + node + ": {grpc: \"127.0.0.1:" + port.grpc() + "\"}\n"));
        return text.toString();
    }

    void start(String name) throws IOException {
        Files.createDirectories(folder.resolve(name));
        Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml(name));
        processes.put(
                name,
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+IgnoreUnrecognizedVMOptions",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                NodeMain.class.getName(),
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".log").toFile())
                        .start());
    }

    boolean answers(String name, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(name).http() + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    String awaitPrimaryOtherThan(String excluded) {
        await().atMost(PATIENCE).until(() -> primary(excluded).isPresent());
        return primary(excluded).orElseThrow();
    }

    private Optional<String> primary(String excluded) {
        return NAMES.stream()
                .filter(name -> !name.equals(excluded) && answers(name, "/primary"))
                .findFirst();
    }

    long number(String name, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + at(name).postgres() + "/postgres?socketTimeout=10",
                        "postgres",
                        "secret1");
                var statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return 0;
            }
            var row = statement.getResultSet();
            row.next();
            return row.getLong(1);
        }
    }

    void signal(String signal, String name) throws IOException, InterruptedException {
        String pid = Long.toString(Objects.requireNonNull(processes.get(name)).pid());
        assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor())
                .isZero();
    }

    /** Kills everything that belongs to a node at once, its watchdog process and its server included. */
    void cutPower(String name) throws InterruptedException {
        Process node = Objects.requireNonNull(processes.get(name));
        node.descendants().forEach(ProcessHandle::destroyForcibly);
        node.destroyForcibly().waitFor();
        var unused = new Ladder(List.of(new Rung.Kill("kill", PATIENCE))).climb(workload(name));
    }

    /** The status of a page, or of a command at the admin port. */
    static int status(String method, int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    String text(String name, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(name).http() + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** The primary is where it is preferred, both others follow it, and one of them has everything. */
    void awaitHome() {
        await().atMost(PATIENCE)
                .until(() -> answers("n1", "/primary")
                        && answers("n2", "/replica?lag=1MB")
                        && answers("n3", "/replica?lag=1MB")
                        && (answers("n2", "/sync") || answers("n3", "/sync")));
    }
}
