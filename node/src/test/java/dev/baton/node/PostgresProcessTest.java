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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes in processes of their own, over Raft, each with a real PostgreSQL, one cluster for all tests: frozen, killed, moved
 * and back again. Its preferred node is n1, so that every test begins with the primary there, and shows the way back.
 */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private record Ports(int grpc, int http, int raft, int postgres, int admin) {}

    private final Map<String, Ports> ports = new LinkedHashMap<>();
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private Path folder = Path.of("/");

    @BeforeAll
    void prepare() throws IOException {
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
        for (String name : NAMES) {
            start(name);
        }
    }

    @AfterAll
    void end() throws Exception {
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

    private Ports at(String name) {
        return Objects.requireNonNull(ports.get(name));
    }

    private Workload workload(String name) {
        return new Workload.InFolder(folder.resolve(name).resolve("postgres").resolve("data"));
    }

    private String yaml(String name) {
        StringBuilder text = new StringBuilder("cluster: demo\nnode: " + name + "\ndata: " + name + "\n");
        text.append("listen: {grpc: \"127.0.0.1:" + at(name).grpc() + "\", http: \"127.0.0.1:" + at(name).http()
                + "\", raft: \"127.0.0.1:" + at(name).raft() + "\", admin: \"127.0.0.1:" + at(name).admin() + "\"}\n");
        text.append("authority:\n  kind: raft\n  start: bootstrap\n  peers:\n");
        ports.forEach((node, port) -> text.append("    " + node + ": \"127.0.0.1:" + port.raft() + "\"\n"));
        text.append("seats:\n  - name: pg\n    duty: postgres\n    pulse: {interval: 500ms, timeout: 1s}\n");
        text.append(
                "    postgres:\n      mode: synchronous\n      listen: \"127.0.0.1:" + at(name).postgres() + "\"\n");
        text.append("      superuser-password-file: superuser\n      replication-password-file: replication\n");
        text.append("      parameters: {shared_buffers: 16MB}\n      preferred: n1\n      preferred-after: 1s\n");
        text.append("peers:\n");
        ports.forEach((node, port) -> text.append("  " + node + ": {grpc: \"127.0.0.1:" + port.grpc() + "\"}\n"));
        return text.toString();
    }

    private void start(String name) throws IOException {
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

    private boolean answers(String name, String path) {
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

    private String awaitPrimaryOtherThan(String excluded) {
        await().atMost(PATIENCE).until(() -> primary(excluded).isPresent());
        return primary(excluded).orElseThrow();
    }

    private Optional<String> primary(String excluded) {
        return NAMES.stream()
                .filter(name -> !name.equals(excluded) && answers(name, "/primary"))
                .findFirst();
    }

    private long number(String name, String sql) throws SQLException {
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

    private void signal(String signal, String name) throws Exception {
        String pid = Long.toString(Objects.requireNonNull(processes.get(name)).pid());
        assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor())
                .isZero();
    }

    /** The status of a page, or of a command at the admin port. */
    private static int status(String method, int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private String text(String name, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(name).http() + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** The primary is where it is preferred, both others follow it, and one of them has everything. */
    private void awaitHome() {
        await().atMost(PATIENCE)
                .until(() -> answers("n1", "/primary")
                        && answers("n2", "/replica?lag=1MB")
                        && answers("n3", "/replica?lag=1MB")
                        && (answers("n2", "/sync") || answers("n3", "/sync")));
    }

    @Test
    void theServerOfAFrozenNodeIsDownBeforeAnotherIsPromotedAndIsThePrimaryAgainSomeTimeAfterItsNodeThaws()
            throws Exception {
        awaitHome();
        assertThat(number("n1", "CREATE TABLE frozen (id int)")).isZero();
        assertThat(number("n1", "INSERT INTO frozen VALUES (1)")).isZero();

        signal("STOP", "n1");
        String second = awaitPrimaryOtherThan("n1");
        assertThat(workload("n1").isDown())
                .as("INV-23: the frozen node's server")
                .isTrue();
        assertThat(number(second, "INSERT INTO frozen VALUES (2)")).isZero();

        signal("CONT", "n1");
        awaitHome(); // the demotion handshake: it follows, catches up, and is handed the seat
        assertThat(number("n1", "SELECT count(*) FROM frozen")).isEqualTo(2);
    }

    @Test
    void aPlannedSwitchoverHappensOnceAndThePreferredNodeIsThePrimaryAgainAfterwards() throws Exception {
        awaitHome();
        String standby = answers("n2", "/sync") ? "n3" : "n2"; // the one that must be made complete first
        long at = System.currentTimeMillis() + 1000;
        assertThat(status("POST", at(standby).admin(), "/switchover/plan?to=" + standby + "&atMillis=" + at))
                .as("only the primary can plan")
                .isEqualTo(409);
        assertThat(status("POST", at("n1").admin(), "/switchover/plan?to=nobody&atMillis=" + at))
                .isEqualTo(400);
        assertThat(status("POST", at("n1").admin(), "/switchover/plan?to=" + standby + "&atMillis=" + at))
                .isEqualTo(200);
        await().atMost(PATIENCE).until(() -> answers(standby, "/primary"));
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(at);

        awaitHome();
        assertThat(text("n1", "/cluster")).contains("\"plannedTo\":null");
        assertThat(text("n2", "/history")).containsSubsequence("\"node\":\"" + standby + "\"", "\"node\":\"n1\"");
    }

    @Test
    void everyPageForLoadBalancersAnswersByTheRoleOfItsServer() throws Exception {
        awaitHome();
        String sync = answers("n2", "/sync") ? "n2" : "n3";
        String async = sync.equals("n2") ? "n3" : "n2";
        List<String> always = List.of("/read-only", "/health", "/liveness", "/readiness", "/cluster", "/history");
        Map<String, List<String>> yes = Map.of(
                "n1",
                List.of("/primary", "/read-write"),
                sync,
                List.of("/replica", "/replica?lag=16MB", "/sync"),
                async,
                List.of("/replica", "/replica?lag=16MB", "/async"));
        List<String> roles = List.of("/primary", "/read-write", "/replica", "/replica?lag=16MB", "/sync", "/async");
        for (String name : NAMES) {
            int port = at(name).http();
            for (String path : always) {
                assertThat(status("GET", port, path)).as(name + path).isEqualTo(200);
            }
            for (String path : roles) {
                int expected = Objects.requireNonNull(yes.get(name)).contains(path) ? 200 : 503;
                assertThat(status("GET", port, path)).as(name + path).isEqualTo(expected);
                assertThat(status("HEAD", port, path)).as("HEAD " + name + path).isEqualTo(expected);
                assertThat(status("OPTIONS", port, path))
                        .as("OPTIONS " + name + path)
                        .isEqualTo(expected);
            }
            assertThat(status("GET", port, "/replica?lag=much")).isEqualTo(400);
        }
        assertThat(text("n1", "/metrics"))
                .contains("baton_postgres_primary{seat=\"pg\"} 1")
                .contains("baton_fencing_stopped_total{seat=\"pg\"}");
    }

    @Test
    void afterAPowerCutNoServerIsAPrimaryWithoutTheSeat() throws Exception {
        awaitHome();
        assertThat(number("n1", "CREATE TABLE powered (id int)")).isZero();
        assertThat(number("n1", "INSERT INTO powered VALUES (1)")).isZero();
        for (String name : NAMES) { // everything at once, watchdog processes included
            Process node = Objects.requireNonNull(processes.get(name));
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly().waitFor();
            var unused = new Ladder(List.of(new Rung.Kill("kill", PATIENCE))).climb(workload(name));
        }

        start("n1"); // the last primary; alone it cannot get the seat
        await().atMost(PATIENCE).until(() -> answers("n1", "/health"));
        assertThat(number("n1", "SELECT pg_is_in_recovery()::int")).isEqualTo(1);
        assertThat(number("n1", "SELECT count(*) FROM powered")).isEqualTo(1);
        assertThat(answers("n1", "/primary")).isFalse();

        start("n2");
        start("n3");
        awaitHome();
        assertThat(number("n1", "INSERT INTO powered VALUES (2)")).isZero();
    }
}
