package dev.baton.fence.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A PostgreSQL of its own on a free loopback port, in a folder of its own. It does not outlive the JVM. */
public final class PostgresServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path home;
    private final Process process;
    private final int port;

    private PostgresServer(Path home, Process process, int port) {
        this.home = home;
        this.process = process;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    public static PostgresServer start() throws IOException, InterruptedException {
        // Not in a @TempDir: those are closed to the user that the server runs as.
        Path home = Files.createTempDirectory(
                "baton-postgres", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (isRoot()) {
            Files.setOwner(
                    home, home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        Path data = home.resolve("data");
        run(home, "initdb", "-D", data.toString(), "-U", "baton", "-A", "trust", "-E", "UTF8", "--no-locale", "-N");
        int port = freePort();
        Process process = program(
                        home,
                        "postgres",
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-h",
                        "127.0.0.1",
                        "-k",
                        home.toString())
                .start();
        PostgresServer server = new PostgresServer(home, process, port);
        Awaitility.await().atMost(PATIENCE).until(server::answers);
        return server;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=baton";
    }

    /** A new connection, with a transaction begun by its first statement. */
    public Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        connection.setAutoCommit(false);
        return connection;
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("PostgreSQL ended with " + process.exitValue() + "; see " + home);
        }
        try (Connection connection = connect()) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    private static void run(Path home, String name, String... arguments) throws IOException, InterruptedException {
        Process program = program(home, name, arguments).start();
        if (!program.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || program.exitValue() != 0) {
            program.destroyForcibly();
            throw new IOException(name + " failed: " + Files.readString(home.resolve("log"), UTF_8));
        }
    }

    /** It refuses to run as root, so root runs it as nobody. */
    private static ProcessBuilder program(Path home, String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.add(folder().resolve(name).toString());
        command.addAll(List.of(arguments));
        Path log = home.resolve("log");
        return new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Debian keeps the server's programs out of the PATH, a folder per version. */
    private static Path folder() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        try (Stream<Path> found = Files.exists(versions) ? Files.list(versions) : Stream.empty()) {
            return found.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                    .sorted()
                    .reduce((older, newer) -> newer)
                    .orElseThrow(() -> new IOException(
                            versions + "/*/bin/postgres is missing; install the package postgresql (./check does)"));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        // Its word for "end at once, in order": on a kill its children would go on for a moment, in a folder that goes
        // away.
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
