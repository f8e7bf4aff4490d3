package dev.baton.authority.tck;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of loopback on which nobody listens, each given once. */
public final class LoopbackPorts {

    /** Below what systems give to outgoing connections, so that nobody takes the port while a server restarts. */
    private static final int LOWEST = 20_000;

    private static final int RANGE = 12_000;
    private static final int MOST_TRIES = 1_000;

    private final Set<Integer> given = new HashSet<>();

    public int next() {
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            int port = LOWEST + ThreadLocalRandom.current().nextInt(RANGE);
            if (!given.contains(port) && isFree(port)) {
                given.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + LOWEST + " on");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
