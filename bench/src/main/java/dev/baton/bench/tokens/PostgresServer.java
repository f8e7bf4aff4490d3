package dev.baton.bench.tokens;

import dev.baton.duty.postgres.InstalledPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL with its defaults, which are durable, and with as many connections as there are callers. */
record PostgresServer(Process process, int port, Path folder) {

    private static final int CONNECTIONS = 100;

    /** Whom the distribution's package makes for it: it refuses to run as root. */
    private static final String USER = "postgres";

    /** Makes its files, which takes a moment; does not wait until it answers, see {@link #await}. */
    static PostgresServer start(Children children, String name) throws IOException, InterruptedException {
        Path folder = children.folder(name);
        Path log = folder.resolve("log");
        Path data = Files.createDirectories(folder.resolve("data"));
        Path programs = InstalledPostgres.required();
        int port = children.freePort();
        if (isRoot()) {
            children.run(log, List.of("chown", USER, data.toString()));
            // The folders above must let that user through; what is in them is its own business.
            for (Path above = folder; !above.equals(folder.getRoot()); above = parentOf(above)) {
                if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    children.run(log, List.of("chmod", "o+x", above.toString()));
                }
            }
        }
        children.run(
                log,
                asUser(List.of(
                        programs.resolve("initdb").toString(),
                        "--pgdata",
                        data.toString(),
                        "--username",
                        "postgres",
                        "--auth",
                        "trust",
                        "--no-locale",
                        "--encoding",
                        "UTF8",
                        "--no-sync")));
        Process process = children.start(
                log,
                asUser(List.of(
                        programs.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "port=" + port,
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=on",
                        "-c",
                        "synchronous_commit=on",
                        "-c",
                        "max_connections=" + CONNECTIONS)));
        return new PostgresServer(process, port, folder);
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static List<String> asUser(List<String> command) {
        if (!isRoot()) {
            return command;
        }
        List<String> all = new ArrayList<>(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
        all.addAll(command);
        return all;
    }

    PostgresServer await(Children children) throws InterruptedException {
        // What every server of it answers to a client that asks for TLS: yes or no.
        byte[] wantsTls = {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f};
        children.await("postgres", process, folder.resolve("log"), () -> Children.answers(port, wantsTls, 'N'));
        return this;
    }

    String address() {
        return "127.0.0.1:" + port;
    }
}
