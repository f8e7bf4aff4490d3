package dev.baton.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a port of this machine, and can cut them while it goes on listening. */
final class Relay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    Relay(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                open.addAll(List.of(near, far));
                Thread.ofVirtual().start(() -> pass(near, far));
                Thread.ofVirtual().start(() -> pass(far, near));
            } catch (IOException e) {
                // closed, or the target refuses: the next one may fare better
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // cut
        }
    }

    /** Closes the connections that it has passed on until now. */
    void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
