package dev.baton.bench.postgres;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where the processes of one machine listen. Each port is there twice: behind, where its process is, and shown, where
 * everybody else reaches it through the machine's cable.
 */
record Places(String name, int grpc, int http, int raft, int admin, int postgres) {

    static final String BEHIND = "127.0.0.1";
    static final String SHOWN = "127.0.0.2";

    /** Below what operating systems hand out to outgoing connections. */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;

    /** Places that nobody uses now, and that are not among the taken ones, which they join. */
    static Places free(String name, Set<Integer> taken) throws IOException {
        return new Places(name, port(taken), port(taken), port(taken), port(taken), port(taken));
    }

    private static int port(Set<Integer> taken) throws IOException {
        Set<Integer> tried = new HashSet<>(taken);
        while (tried.size() < (HIGHEST - LOWEST) / 2) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (tried.add(port) && isFree(BEHIND, port) && isFree(SHOWN, port)) {
                taken.add(port);
                return port;
            }
        }
        throw new IOException("no free port from " + LOWEST + " to " + HIGHEST + " (expected: one of many)");
    }

    private static boolean isFree(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
