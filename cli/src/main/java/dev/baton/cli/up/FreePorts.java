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
    private static final int PER_NODE = 5;

    private FreePorts() {}

    /** The ports of a cluster: of its nodes, and of the servers that keep its seat. */
    record Found(List<Ports> nodes, List<Integer> servers) {}

    /** Ports for so many nodes and servers; the same folder gets the same ones as long as they are free. */
    static Found search(Path folder, int nodes, int servers) throws CliFailure {
        int wanted = nodes * PER_NODE + servers;
        int span = HIGHEST - LOWEST;
        int at = Math.floorMod(folder.toString().hashCode(), span);
        List<Integer> free = new ArrayList<>();
        for (int tried = 0; tried < span && free.size() < wanted; tried++) {
            int port = LOWEST + (at + tried) % span;
            if (isFree(port)) {
                free.add(port);
            }
        }
        if (free.size() < wanted) {
            throw new CliFailure(
                    Exit.PORT_IN_USE,
                    "only " + free.size() + " free ports from " + LOWEST + " to " + HIGHEST + " (expected: " + wanted
                            + "; choose a place with --port-base)");
        }
        return found(free, nodes);
    }

    /** The ports from a base on, free or not. */
    static Found from(int base, int nodes, int servers) throws CliFailure {
        int wanted = nodes * PER_NODE + servers;
        if (base < 1024 || base + wanted > 65_536) {
            throw new CliFailure(Exit.USAGE, "--port-base: " + base + " (expected: 1024 to " + (65_536 - wanted) + ")");
        }
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            ports.add(base + i);
        }
        return found(ports, nodes);
    }

    private static Found found(List<Integer> ports, int nodes) {
        return new Found(
                grouped(ports.subList(0, nodes * PER_NODE)),
                List.copyOf(ports.subList(nodes * PER_NODE, ports.size())));
    }

    private static List<Ports> grouped(List<Integer> ports) {
        List<Ports> grouped = new ArrayList<>();
        for (int i = 0; i < ports.size(); i += PER_NODE) {
            grouped.add(
                    new Ports(ports.get(i), ports.get(i + 1), ports.get(i + 2), ports.get(i + 3), ports.get(i + 4)));
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
