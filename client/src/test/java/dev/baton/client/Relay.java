package dev.baton.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a node, until they go dumb: then they stay open and nothing comes through. */
final class Relay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();

    Relay(int port) throws IOException {
        this.port = port;
        Thread.ofVirtual().start(this::accept);
    }

    private static final class Line {
        private final Socket near;
        private final Socket far;
        private volatile boolean dumb;

        Line(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void pass(Socket from, Socket to) {
            byte[] buffer = new byte[8192];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (!dumb) {
                        out.write(buffer, 0, read);
                    }
                }
            } catch (IOException e) {
                // one side is gone
            }
            if (!dumb) {
                close();
            }
        }

        void close() {
            try {
                near.close();
                far.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Line line = new Line(near, new Socket(InetAddress.getLoopbackAddress(), port));
                lines.add(line);
                Thread.ofVirtual().start(() -> line.pass(line.near, line.far));
                Thread.ofVirtual().start(() -> line.pass(line.far, line.near));
            }
        } catch (IOException e) {
            // closed
        }
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Nothing comes through the connections of now any more; new ones work. */
    void goDumb() {
        lines.forEach(line -> line.dumb = true);
    }

    @Override
    public void close() throws IOException {
        server.close();
        lines.forEach(Line::close);
    }
}
