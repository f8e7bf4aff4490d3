package dev.baton.duty.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server's data folder while no server runs in it: made, filled from a primary, or brought back to its line. */
final class DataFolder {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration COPY_PATIENCE = Duration.ofHours(24);

    private final PostgresSettings settings;
    private final Programs programs;
    private Map<String, Integer> floors = Map.of();

    DataFolder(PostgresSettings settings, Programs programs) {
        this.settings = settings;
        this.programs = programs;
    }

    boolean isInitialised() {
        return Files.exists(settings.data().resolve("PG_VERSION"));
    }

    /** Whether nothing at all is there that could be lost. */
    boolean isEmpty() throws IOException {
        if (!Files.exists(settings.data())) {
            return true;
        }
        try (var files = Files.list(settings.data())) {
            return files.findAny().isEmpty();
        }
    }

    ControlData control() throws IOException, InterruptedException {
        return ControlData.parse(
                programs.run(PATIENCE, "pg_controldata", settings.data().toString()));
    }

    /**
     * Makes a database cluster of its own, whole or not at all. A mark stays until the ledger names it: until then no
     * client has written to it, so one that lost to another node's may be thrown away. Only the ledger can say that:
     * the first record may be committed without its maker ever hearing of it.
     */
    void initialise() throws IOException, InterruptedException {
        if (!isEmpty()) {
            throw new IOException(settings.data() + ": not empty (expected: empty, or a complete data folder)");
        }
        clearAway(making());
        Path password = settings.folder().resolve("initdb-password");
        programs.write(password, programs.superuser() + "\n");
        try {
            programs.run(
                    PATIENCE,
                    "initdb",
                    "--pgdata=" + making(),
                    "--username=postgres",
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--no-locale",
                    "--data-checksums");
        } finally {
            Files.deleteIfExists(password);
        }
        programs.write(unpublished(), "");
        Files.deleteIfExists(settings.data()); // an empty folder
        Files.move(making(), settings.data());
        try (FileChannel folder = FileChannel.open(settings.folder())) {
            folder.force(true);
        }
    }

    private Path making() {
        return settings.folder().resolve("making");
    }

    private Path unpublished() {
        return settings.folder().resolve("unpublished");
    }

    /** Whether this node made what is here, and the ledger does not name it: no client ever wrote to it. */
    boolean isUnpublished() {
        return Files.exists(unpublished());
    }

    /** The ledger names this database cluster now. */
    void published() throws IOException {
        Files.deleteIfExists(unpublished());
    }

    /** Throws away what was never published. */
    void discardUnpublished() throws IOException {
        if (isUnpublished()) {
            clearAway(settings.data());
            published();
        }
    }

    /** Copies the primary's data; what was here before is kept until the copy is complete. */
    void copyFrom(String host, int port) throws IOException, InterruptedException {
        Path copy = settings.folder().resolve("copy");
        clearAway(copy);
        clearAway(making());
        programs.run(
                COPY_PATIENCE,
                "pg_basebackup",
                "--pgdata=" + copy,
                "--host=" + host,
                "--port=" + port,
                "--username=" + Database.REPLICATION,
                "--no-password",
                "--wal-method=stream",
                "--slot=" + PostgresSettings.slot(settings.node()), // a temporary one might find no room
                "--checkpoint=fast");
        Path before = settings.folder().resolve("before");
        clearAway(before);
        if (Files.exists(settings.data())) {
            Files.move(settings.data(), before);
        }
        Files.move(copy, settings.data());
        programs.write(fresh(), "");
        clearAway(before);
        published();
    }

    private Path fresh() {
        return settings.folder().resolve("fresh-copy");
    }

    /** Whether no server ever ran on what is here: it looks as its primary did, which wrote it. */
    boolean isFreshCopy() {
        return Files.exists(fresh());
    }

    /** Takes back what only this server has, so that it can follow the primary's timeline. */
    void rewindTo(String host, int port) throws IOException, InterruptedException {
        // It may have to finish a recovery first, which a server that is told to stand by does not.
        Files.deleteIfExists(settings.data().resolve("standby.signal"));
        programs.run(
                COPY_PATIENCE,
                "pg_rewind",
                "--target-pgdata=" + settings.data(),
                "--source-server=host=" + host + " port=" + port + " user=postgres dbname=postgres");
    }

    /**
     * INV-22: the server will begin as a standby, whatever it was before, and write nothing of its own.
     *
     * @param primary whom to follow; nobody if null
     */
    void standBy(@Nullable ClusterRecord primary, String synchronous) throws IOException, InterruptedException {
        floors = control().floors();
        programs.write(settings.data().resolve("standby.signal"), "");
        configure(primary, synchronous);
        programs.write(settings.data().resolve("pg_hba.conf"), ServerFiles.access(settings));
        Files.deleteIfExists(fresh());
    }

    /** Writes the configuration; a server that runs must be told to read it again. */
    void configure(@Nullable ClusterRecord primary, String synchronous) throws IOException {
        Path main = settings.data().resolve("postgresql.conf");
        Path own = settings.data().resolve("postgresql.base.conf");
        if (Files.exists(main) && !Files.exists(own)) { // what the folder came with goes on counting
            Files.move(main, own);
        }
        String text = ServerFiles.configuration(settings, programs, primary, synchronous, floors);
        if (!Files.exists(main) || !Files.readString(main).equals(text)) {
            programs.write(main, text);
        }
    }

    /** Removes a folder of this class's own making, or one that is empty. */
    private static void clearAway(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
