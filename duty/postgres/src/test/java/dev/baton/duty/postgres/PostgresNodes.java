package dev.baton.duty.postgres;

import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.process.Workload;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes with real servers over an engine in memory, in a folder that their user can reach. */
final class PostgresNodes implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    static final SeatTimings TIMINGS = new SeatTimings(
            Duration.ofMillis(200),
            Duration.ofSeconds(1),
            PulsePolicy.DEFAULT,
            Duration.ofMillis(1500),
            Duration.ofMillis(500),
            new BigDecimal("1.01"),
            Optional.empty());

    private static final PostgresSettings.StopTimeouts STOPS = new PostgresSettings.StopTimeouts(
            Duration.ofMillis(700), Duration.ofMillis(300), Duration.ofMillis(500), Duration.ZERO);

    private static final SeatId SEAT = SeatId.of("test", "pg");

    /** One node; without a seat while it only runs its server. */
    record Node(String name, PostgresDuty duty, @Nullable JoinedSeat seat, MemoryAuthority authority) {

        boolean isPrimary() {
            return duty.isPrimary();
        }

        boolean streams() {
            return duty.view().standby() && duty.view().streaming();
        }

        JoinedSeat joined() {
            if (seat == null) {
                throw new IllegalStateException(name + " has not joined");
            }
            return seat;
        }
    }

    private final Path home;
    private final PostgresSettings.Mode mode;
    private final List<String> names;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final MemoryEngine engine = new MemoryEngine(TIMINGS.takeoverDelay());
    private final Map<String, String> parameters =
            new LinkedHashMap<>(Map.of("shared_buffers", "16MB", "max_connections", "40"));
    private final Thread ticking;
    private final Map<String, Node> nodes = new ConcurrentSkipListMap<>();

    PostgresNodes(PostgresSettings.Mode mode, String... names) throws IOException {
        this(mode, Map.of(), names);
    }

    /** @param parameters further settings of the servers */
    PostgresNodes(PostgresSettings.Mode mode, Map<String, String> parameters, String... names) throws IOException {
        this.parameters.putAll(parameters);
        // Not in a @TempDir: those are closed to the user that the servers run as.
        this.home = Files.createTempDirectory("baton-pg").toRealPath();
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
        Files.writeString(home.resolve("superuser"), "super secret 1\n");
        Files.writeString(home.resolve("replication"), "secret2\n");
        this.mode = mode;
        this.names = List.of(names);
        this.ticking = Thread.ofVirtual().name("ticks").start(this::tick);
        for (String name : names) {
            ports.put(name, LoopbackPorts.next());
        }
    }

    /** The engine notices the time when it is told to. */
    private void tick() {
        while (!Thread.currentThread().isInterrupted()) {
            engine.tick();
            LockSupport.parkNanos(20_000_000);
        }
    }

    Path home() {
        return home;
    }

    PostgresSettings settings(String name) throws IOException {
        boolean root = System.getProperty("user.name").equals("root");
        return new PostgresSettings(
                name,
                InstalledPostgres.required(),
                home.resolve(name),
                "127.0.0.1",
                port(name),
                "127.0.0.1",
                root ? Optional.of("postgres") : Optional.empty(),
                home.resolve("superuser"),
                home.resolve("replication"),
                names.stream().filter(other -> !other.equals(name)).toList(),
                true,
                mode,
                PostgresSettings.DEFAULT_MAX_LAG_BYTES,
                parameters,
                List.of(),
                STOPS,
                List.of());
    }

    private int port(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException(name);
        }
        return port;
    }

    /** Runs the node's server without asking for the seat. */
    Node open(String name) throws Exception {
        return open(name, settings(name));
    }

    private Node open(String name, PostgresSettings settings) throws Exception {
        Node node = new Node(name, PostgresDuty.open(settings, TIMINGS), null, engine.connect(new NodeId(name)));
        nodes.put(name, node);
        return node;
    }

    Node join(String name) throws Exception {
        return join(name, settings(name));
    }

    Node join(String name, PostgresSettings settings) throws Exception {
        Node alone = open(name, settings);
        JoinedSeat seat = Seat.of(SEAT)
                .contender(name)
                .timings(TIMINGS)
                .onCannotStop(why -> {
                    throw new AssertionError(why);
                })
                .join(alone.authority(), alone.duty());
        Node node = new Node(name, alone.duty(), seat, alone.authority());
        nodes.put(name, node);
        return node;
    }

    Node awaitPrimaryAmong(String... candidates) {
        await().atMost(PATIENCE)
                .until(() -> Stream.of(candidates).anyMatch(name -> node(name).isPrimary()));
        return Stream.of(candidates)
                .map(this::node)
                .filter(Node::isPrimary)
                .findFirst()
                .orElseThrow();
    }

    Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException(name);
        }
        return node;
    }

    /** Waits for a primary that all other nodes stream from, one of them surely complete if the mode knows that. */
    Node awaitCalm() {
        await().atMost(PATIENCE).until(() -> calmPrimary().isPresent());
        return calmPrimary().orElseThrow();
    }

    private Optional<Node> calmPrimary() {
        List<Node> primaries = nodes.values().stream().filter(Node::isPrimary).toList();
        long streaming = nodes.values().stream().filter(Node::streams).count();
        boolean complete = mode == PostgresSettings.Mode.ASYNCHRONOUS
                || nodes.values().stream()
                        .filter(Node::streams)
                        .anyMatch(node -> node.duty().readiness().isReady());
        return primaries.size() == 1 && streaming == nodes.size() - 1 && complete
                ? Optional.of(primaries.getFirst())
                : Optional.empty();
    }

    Node awaitPrimaryOtherThan(String name) {
        return awaitPrimaryAmong(
                names.stream().filter(other -> !other.equals(name)).toArray(String[]::new));
    }

    Workload server(String name) {
        return new Workload.InFolder(home.resolve(name).resolve("data"));
    }

    /** Runs a program on every process of the node's server, as {@code kill -STOP} with their numbers behind it. */
    void onServer(String name, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        server(name).processes().forEach(pid -> words.add(pid.toString()));
        new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** From now on no process of the node's server can write to a file; those that are started later can. */
    void fillDisk(String name) throws Exception {
        for (long pid : server(name).processes()) {
            List<String> command = new ArrayList<>();
            settings(name)
                    .user()
                    .ifPresent(user ->
                            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups")));
            command.addAll(List.of("prlimit", "--pid", Long.toString(pid), "--fsize=1:"));
            new ProcessBuilder(command).start().waitFor();
        }
    }

    static void awaitStreaming(Node... standbys) {
        for (Node node : standbys) {
            await().atMost(PATIENCE).until(node::streams);
        }
    }

    Connection connect(String name) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port(name) + "/postgres?socketTimeout=10&loginTimeout=5",
                "postgres",
                "super secret 1");
    }

    void execute(String name, String sql) throws SQLException {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String name, String sql) throws SQLException {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Ends every process of the node's server at once, as a power cut would. */
    void killServer(String name) {
        Workload server = server(name);
        await().atMost(PATIENCE).until(() -> {
            server.processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            return server.isDown();
        });
    }

    void leave(String name) throws Exception {
        Node node = node(name);
        nodes.remove(name);
        if (node.seat() != null) {
            node.seat().close();
        }
        node.duty().close();
    }

    @Override
    public void close() throws Exception {
        for (String name : new ArrayList<>(nodes.keySet())) {
            leave(name);
        }
        ticking.interrupt();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
