package dev.baton.authority.raft;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands in front of a member and passes bytes on, until the connections that are open are made dumb. */
final class Relay implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    private Relay(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Listens at the one address and knows the member by the other; both are of this machine. */
    static Relay between(String listen, String target) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), portOf(listen)));
        Relay relay = new Relay(server, portOf(target));
        Thread.ofVirtual().start(relay::accept);
        return relay;
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Connections that are open now carry nothing any more, not even their end. New ones work. */
    void silenceOpenConnections() {
        open.forEach(connection -> connection.dumb = true);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> serve(caller));
            } catch (IOException e) {
                // Closed, or the caller was gone again.
            }
        }
    }

    private void serve(Socket caller) {
        try (Connection connection = new Connection(caller, new Socket(InetAddress.getLoopbackAddress(), target))) {
            open.add(connection);
            Thread back = Thread.ofVirtual().start(() -> connection.carry(connection.called, connection.caller));
            connection.carry(connection.caller, connection.called);
            back.join();
            open.remove(connection);
        } catch (IOException e) {
            // Nobody behind us.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Connection implements AutoCloseable {
        private final Socket caller;
        private final Socket called;
        private volatile boolean dumb;

        Connection(Socket caller, Socket called) {
            this.caller = caller;
            this.called = called;
        }

        void carry(Socket from, Socket to) {
            byte[] buffer = new byte[16 * 1024];
            try {
                InputStream in = from.getInputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (!dumb) {
                        to.getOutputStream().write(buffer, 0, count);
                    }
                }
                if (!dumb) {
                    to.shutdownOutput();
                }
            } catch (IOException e) {
                if (!dumb) {
                    closeQuietly(to);
                }
            }
        }

        @Override
        public void close() {
            closeQuietly(caller);
            closeQuietly(called);
        }

        private static void closeQuietly(Socket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                // Gone is gone.
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        open.forEach(Connection::close);
    }
}
