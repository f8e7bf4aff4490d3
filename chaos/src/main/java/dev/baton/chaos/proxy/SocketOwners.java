package dev.baton.chaos.proxy;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which process has the other end of a connection, as Linux shows it under {@code /proc}. */
public final class SocketOwners {

    /** Java's sockets are of the newer family, others' of the older. */
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private SocketOwners() {}

    /** The socket of whoever called, as its process' open files name it. */
    public static Optional<String> otherEnd(Socket accepted) {
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

    /** Whether a process has this socket open. */
    public static boolean owns(long pid, String link) {
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
