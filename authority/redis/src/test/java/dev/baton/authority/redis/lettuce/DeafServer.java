package dev.baton.authority.redis.lettuce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, reads, and never answers. */
final class DeafServer implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    DeafServer() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    int accepted() {
        return accepted.get();
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                accepted.incrementAndGet();
                open.add(socket);
                mostAtOnce.accumulateAndGet(open.size(), Math::max);
                Thread.ofVirtual().start(() -> listen(socket));
            }
        } catch (IOException e) {
            open.forEach(DeafServer::hangUp);
        }
    }

    private void listen(Socket socket) {
        try {
            byte[] ignored = new byte[4096];
            while (socket.getInputStream().read(ignored) >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // gone is gone
        }
        open.remove(socket);
        hangUp(socket);
    }

    private static void hangUp(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // gone is gone
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
