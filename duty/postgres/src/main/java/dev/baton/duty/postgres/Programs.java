package dev.baton.duty.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** PostgreSQL's programs, run as the user that may: it refuses to work for root. */
final class Programs {

    private static final List<String> NEEDED =
            List.of("postgres", "initdb", "pg_basebackup", "pg_rewind", "pg_controldata");

    private final PostgresSettings settings;

    Programs(PostgresSettings settings) {
        this.settings = settings;
    }

    /** The command, and how to run it. */
    List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        settings.user()
                .ifPresent(user -> command.addAll(
                        List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups", "--")));
        command.add(settings.programs().resolve(program).toString());
        command.addAll(arguments);
        return command;
    }

    /** Runs a program to its end, and returns what it said. Interrupted, it is killed. */
    String run(Duration patience, String program, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(settings.folder(), program, ".log");
        ProcessBuilder builder = new ProcessBuilder(command(program, List.of(arguments)))
                .directory(settings.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("PGPASSFILE", passwords().toString());
        builder.environment().put("PGCONNECT_TIMEOUT", "3");
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            String said = Files.readString(output, StandardCharsets.UTF_8).strip();
            if (!ended || process.exitValue() != 0) {
                throw new IOException(
                        program + ": " + (ended ? "status " + process.exitValue() : "no end within " + patience)
                                + " (expected: 0): " + lastLines(said));
            }
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }

    private static String lastLines(String said) {
        List<String> lines = said.lines().toList();
        return String.join("; ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
    }

    /** The file from which PostgreSQL's programs, and a standby, take their passwords. */
    Path passwords() {
        return settings.folder().resolve("passwords");
    }

    /** Makes the folders and the password file, and says clearly what is missing. */
    void prepare() throws IOException, InterruptedException {
        List<String> missing = NEEDED.stream()
                .filter(program -> !Files.isExecutable(settings.programs().resolve(program)))
                .toList();
        if (!missing.isEmpty()) {
            throw new IOException("postgres.programs: " + settings.programs() + " without "
                    + String.join(", ", missing) + " (expected: a folder with " + String.join(", ", NEEDED)
                    + "; install PostgreSQL 14 or later)");
        }
        Files.createDirectories(settings.folder());
        give(settings.folder(), "rwx------");
        Files.createDirectories(sockets());
        give(sockets(), "rwx------");
        String any = "*:*:*:";
        write(
                passwords(),
                any + "postgres:" + superuser() + "\n" + any + Database.REPLICATION + ":" + replication() + "\n");
        try {
            run(Duration.ofSeconds(10), "postgres", "--version");
        } catch (IOException e) {
            throw new IOException(
                    settings.folder() + ": the user " + settings.user().orElse("of this process")
                            + " cannot run PostgreSQL there (expected: every folder above lets that user through, see"
                            + " chmod o+x): " + e.getMessage(),
                    e);
        }
    }

    Path sockets() {
        return settings.folder().resolve("run");
    }

    String superuser() throws IOException {
        return password("postgres.superuser-password-file", settings.superuserPassword());
    }

    String replication() throws IOException {
        return password("postgres.replication-password-file", settings.replicationPassword());
    }

    private static String password(String key, Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException(key + ": " + file + " (expected: a file with a password that can be read)", e);
        }
        if (text.isEmpty()
                || text.contains(":")
                || text.contains("\\")
                || text.lines().count() > 1) {
            throw new IOException(key + ": " + file + " (expected: one line, not empty, without ':' and '\\')");
        }
        return text;
    }

    /** Writes a file that only the server's user may read, whole or not at all. */
    void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text);
        give(next, "rw-------");
        Files.move(next, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    void give(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        if (settings.user().isPresent()) {
            Files.setOwner(
                    path,
                    path.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(settings.user().get()));
        }
    }
}
