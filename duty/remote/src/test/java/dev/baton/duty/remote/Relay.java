package dev.baton.duty.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Stands in front of a port, and can forget its connections as a firewall does: they stay open and carry nothing. */
final class Relay implements AutoCloseable {

    private record Line(Socket caller, Socket called, AtomicBoolean forgotten) {}

    private final ServerSocket server;
    private final int target;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();

    Relay(int target) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Those that are open now; new ones work. */
    void forget() {
        lines.forEach(line -> line.forgotten().set(true));
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = server.accept();
                Line line = new Line(caller, new Socket(InetAddress.getLoopbackAddress(), target), new AtomicBoolean());
                lines.add(line);
                Thread.ofVirtual().start(() -> pass(line.caller(), line.called(), line.forgotten()));
                Thread.ofVirtual().start(() -> pass(line.called(), line.caller(), line.forgotten()));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private static void pass(Socket from, Socket to, AtomicBoolean forgotten) {
        byte[] bytes = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (!forgotten.get()) {
                    to.getOutputStream().write(bytes, 0, count);
                }
            }
            if (!forgotten.get()) {
                to.close();
            }
        } catch (IOException e) {
            // One of them has hung up.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Line line : lines) {
            line.caller().close();
            line.called().close();
        }
    }
}
