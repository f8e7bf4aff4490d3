package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds ports of the loopback address that nobody listens on. */
final class FreePorts {

    /** Below what operating systems hand out to outgoing connections, which would take a port before its node does. */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;
    private static final int PER_NODE = 4;

    private FreePorts() {}

    /** Ports for so many nodes; the same folder gets the same ones as long as they are free. */
    static List<Ports> search(Path folder, int nodes) throws CliFailure {
        int span = HIGHEST - LOWEST;
        int at = Math.floorMod(folder.toString().hashCode(), span);
        List<Integer> free = new ArrayList<>();
        for (int tried = 0; tried < span && free.size() < nodes * PER_NODE; tried++) {
            int port = LOWEST + (at + tried) % span;
            if (isFree(port)) {
                free.add(port);
            }
        }
        if (free.size() < nodes * PER_NODE) {
            throw new CliFailure(
                    Exit.PORT_IN_USE,
                    "only " + free.size() + " free ports from " + LOWEST + " to " + HIGHEST + " (expected: "
                            + nodes * PER_NODE + "; choose a place with --port-base)");
        }
        return grouped(free);
    }

    /** The ports from a base on, free or not. */
    static List<Ports> from(int base, int nodes) throws CliFailure {
        if (base < 1024 || base + nodes * PER_NODE > 65_536) {
            throw new CliFailure(
                    Exit.USAGE, "--port-base: " + base + " (expected: 1024 to " + (65_536 - nodes * PER_NODE) + ")");
        }
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < nodes * PER_NODE; i++) {
            ports.add(base + i);
        }
        return grouped(ports);
    }

    private static List<Ports> grouped(List<Integer> ports) {
        List<Ports> grouped = new ArrayList<>();
        for (int i = 0; i < ports.size(); i += PER_NODE) {
            grouped.add(new Ports(ports.get(i), ports.get(i + 1), ports.get(i + 2), ports.get(i + 3)));
        }
        return grouped;
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
