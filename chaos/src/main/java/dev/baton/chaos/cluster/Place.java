package dev.baton.chaos.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port, twice: where its process listens, and where everybody else reaches it, through the proxy. Both have the same
 * number on two addresses of this machine, because a node advertises a host and not a port.
 */
record Place(int port) {

    /** Where processes listen. */
    static final String BEHIND = "127.0.0.1";

    /** Where proxies listen. */
    static final String SHOWN = "127.0.0.2";

    /** Below what operating systems hand out to outgoing connections, and above what tests of engines take beside a run. */
    private static final int LOWEST = 26_000;

    private static final int HIGHEST = 32_000;

    InetSocketAddress behind() {
        return new InetSocketAddress(BEHIND, port);
    }

    InetSocketAddress shown() {
        return new InetSocketAddress(SHOWN, port);
    }

    String behindText() {
        return BEHIND + ":" + port;
    }

    String shownText() {
        return SHOWN + ":" + port;
    }

    /** So many places that nobody uses now, one after the other: runs that begin side by side seldom get in each other's way. */
    static List<Place> free(int count) throws IOException {
        int span = HIGHEST - LOWEST;
        int first = ThreadLocalRandom.current().nextInt(span);
        List<Place> places = new ArrayList<>();
        for (int tried = 0; tried < span && places.size() < count; tried++) {
            int port = LOWEST + (first + tried) % span;
            if (isFree(BEHIND, port) && isFree(SHOWN, port)) {
                places.add(new Place(port));
            }
        }
        if (places.size() < count) {
            throw new IOException("only " + places.size() + " free ports from " + LOWEST + " to " + HIGHEST
                    + " (expected: " + count + ")");
        }
        return places;
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
