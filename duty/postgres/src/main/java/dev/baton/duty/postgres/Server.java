package dev.baton.duty.postgres;

import dev.baton.process.BoundedLog;
import dev.baton.process.Supervised;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** This node's PostgreSQL: its files, its process and a connection to it. For the keeper's thread. */
final class Server implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LOG_TAIL = 1 << 16;

    final DataFolder data;
    final Database database;
    private final PostgresSettings settings;
    private final Programs programs;
    private final Supervised supervised;
    private final BoundedLog log;
    private @Nullable Process process;
    private String systemId = "";
    private boolean slotsDropped;
    private @Nullable ClusterRecord following;
    private String synchronous = "";

    Server(PostgresSettings settings, Programs programs, Supervised supervised) throws IOException {
        this.settings = settings;
        this.programs = programs;
        this.supervised = supervised;
        this.log = new BoundedLog(settings.folder().resolve("server.log"), BoundedLog.DEFAULT_MOST_BYTES);
        this.data = new DataFolder(settings, programs);
        this.database = new Database(localHost(settings), settings.port(), programs.superuser(), TIMEOUT);
    }

    static String localHost(PostgresSettings settings) {
        return settings.listen().equals("*") || settings.listen().equals("0.0.0.0") ? "127.0.0.1" : settings.listen();
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** The last thing that went wrong, in the server's own words; empty if it does not say. */
    String lastWords() throws IOException {
        if (!Files.exists(log.file())) {
            return "";
        }
        try (RandomAccessFile file = new RandomAccessFile(log.file().toFile(), "r")) {
            file.seek(Math.max(0, file.length() - LOG_TAIL));
            byte[] tail = new byte[(int) Math.min(LOG_TAIL, file.length())];
            file.readFully(tail, 0, (int) Math.min(tail.length, file.length() - file.getFilePointer()));
            return new String(tail, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains("FATAL:") || line.contains("PANIC:") || line.contains("ERROR:"))
                    .reduce((earlier, later) -> later)
                    .orElse("");
        }
    }

    void boundLog() throws IOException {
        log.bound();
    }

    /** Asks the server; if it has ended instead of answering, says why. */
    Database.Look look() throws IOException, SQLException {
        try {
            return database.look();
        } catch (SQLException e) {
            if (!isRunning()) {
                throw new IOException("the server ended: " + lastWords(), e);
            }
            throw e;
        }
    }

    /** The name of the database cluster in the data folder. */
    String systemId() throws IOException, InterruptedException {
        if (systemId.isEmpty() && data.isInitialised()) {
            systemId = data.control().systemId();
        }
        return systemId;
    }

    /** INV-22: there is no other way to start it than as a standby. */
    void start(@Nullable ClusterRecord primary, String names) throws IOException, InterruptedException {
        if (!supervised.workload().isDown()) {
            throw new IOException("a server that this node did not start runs in " + settings.data());
        }
        database.close();
        data.standBy(primary, names);
        following = primary;
        synchronous = names;
        slotsDropped = false;
        process = supervised.start(new ProcessBuilder(programs.command(
                        "postgres", List.of("-D", settings.data().toString())))
                .directory(settings.data().toFile()) // known by it from its first moment on
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile())));
    }

    /** Follows this primary, or nobody, and waits for these standbys, from now on. */
    void follow(@Nullable ClusterRecord primary, String names) throws IOException, SQLException {
        boolean same = names.equals(synchronous)
                && (primary == null) == (following == null)
                && (primary == null || following == null || primary.address().equals(following.address()));
        if (!same) {
            data.configure(primary, names);
            database.reload();
            following = primary;
            synchronous = names;
        }
    }

    @Nullable
    ClusterRecord following() {
        return following;
    }

    void dropOwnSlots() throws SQLException {
        if (!slotsDropped) {
            database.dropSlots();
            slotsDropped = true;
        }
    }

    void stop(String why) {
        database.close();
        supervised.stop(why);
    }

    void forgetSystemId() {
        systemId = "";
    }

    @Override
    public void close() {
        database.close();
    }
}
