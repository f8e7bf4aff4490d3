package dev.baton.chaos.cluster;

import dev.baton.chaos.proxy.Callers;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells who opened a connection by the process that owns its other end, as Linux shows it under {@code /proc}.
 *
 * <p>So every process can know every other by one address, and still each link can be hurt alone.
 */
final class ProcessCallers implements Callers {

    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private final Supplier<Map<String, Long>> processes;

    /** Whoever is none of the named processes is a client. */
    ProcessCallers(Supplier<Map<String, Long>> processes) {
        this.processes = processes;
    }

    @Override
    public String callerOf(Socket accepted) {
        Optional<String> socket = otherEnd(accepted);
        if (socket.isPresent()) {
            for (Map.Entry<String, Long> each : processes.get().entrySet()) {
                if (owns(each.getValue(), socket.get())) {
                    return each.getKey();
                }
            }
        }
        return CLIENT;
    }

    /** The socket of whoever called, as its process' open files name it. */
    static Optional<String> otherEnd(Socket accepted) {
        return inode(accepted.getPort(), accepted.getLocalPort()).map(inode -> "socket:[" + inode + "]");
    }

    private static Optional<String> inode(int localPort, int remotePort) {
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    String[] fields = line.strip().split("\\s+", -1);
                    if (fields.length > INODE
                            && portOf(fields[LOCAL]) == localPort
                            && portOf(fields[REMOTE]) == remotePort
                            && !fields[INODE].equals("0")) {
                        return Optional.of(fields[INODE]);
                    }
                }
            } catch (IOException e) {
                // No such table: a machine without that family of addresses.
            }
        }
        return Optional.empty();
    }

    private static int portOf(String address) {
        int colon = address.lastIndexOf(':');
        try {
            return colon < 0 ? -1 : Integer.parseInt(address.substring(colon + 1), 16);
        } catch (NumberFormatException e) {
            return -1; // the headline
        }
    }

    static boolean owns(long pid, String link) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path each : open) {
                try {
                    if (Files.readSymbolicLink(each).toString().equals(link)) {
                        return true;
                    }
                } catch (IOException e) {
                    // Closed while we looked.
                }
            }
        } catch (IOException e) {
            // The process is gone.
        }
        return false;
    }
}
