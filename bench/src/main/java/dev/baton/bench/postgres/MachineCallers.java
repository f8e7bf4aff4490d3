package dev.baton.bench.postgres;

import dev.baton.chaos.proxy.Callers;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Tells from which machine a connection comes: by the process that owns its other end, as Linux shows it under {@code
 * /proc}. A node's machine is that of all its descendants, too: its server and PostgreSQL's programs connect as well.
 */
final class MachineCallers implements Callers {

    /** Java's sockets are of the newer family, PostgreSQL's of the older. */
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final String CLIENT = "client";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private final Supplier<Map<String, List<Long>>> processes;

    /** Whoever is none of the named processes is a client. */
    MachineCallers(Supplier<Map<String, List<Long>>> processes) {
        this.processes = processes;
    }

    @Override
    public String callerOf(Socket accepted) {
        String link = "socket:[" + inode(accepted.getPort(), accepted.getLocalPort()) + "]";
        for (Map.Entry<String, List<Long>> machine : processes.get().entrySet()) {
            if (machine.getValue().stream().anyMatch(pid -> owns(pid, link))) {
                return machine.getKey();
            }
        }
        return CLIENT;
    }

    private static String inode(int localPort, int remotePort) {
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    String[] fields = line.strip().split("\\s+", -1);
                    if (fields.length > INODE
                            && fields[LOCAL].endsWith(hexadecimal(localPort))
                            && fields[REMOTE].endsWith(hexadecimal(remotePort))
                            && !fields[INODE].equals("0")) {
                        return fields[INODE];
                    }
                }
            } catch (IOException e) {
                // Nobody is known then, and nobody is cut off: the round shows it.
            }
        }
        return "";
    }

    private static String hexadecimal(int port) {
        return ":%04X".formatted(port);
    }

    private static boolean owns(long pid, String link) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path each : open) {
                if (isLink(each, link)) {
                    return true;
                }
            }
        } catch (IOException e) {
            // The process is gone.
        }
        return false;
    }

    private static boolean isLink(Path descriptor, String link) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(link);
        } catch (IOException e) {
            return false; // closed while we looked
        }
    }
}
