package dev.baton.authority.redis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ways to servers that can be cut for one process alone: connections stay, but nothing gets through. */
public final class CuttableRoutes implements AutoCloseable {

    private final Map<String, ServerSocket> doors = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    public CuttableRoutes(List<String> servers) throws IOException {
        for (String server : servers) {
            ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            doors.put(server, door);
            threads.execute(() -> receive(door, Integer.parseInt(server.substring(server.lastIndexOf(':') + 1))));
        }
    }

    /** Where to connect instead of each server. */
    public Map<String, String> routes() {
        Map<String, String> routes = new LinkedHashMap<>();
        doors.forEach((server, door) -> routes.put(server, "127.0.0.1:" + door.getLocalPort()));
        return routes;
    }

    /** From now on nothing gets through, in either direction, and nobody is told. */
    public void cut() {
        cut = true;
    }

    /** New connections work again; what was swallowed is gone, so the old ones are closed. */
    public void heal() {
        cut = false;
        sockets.forEach(CuttableRoutes::closeQuietly);
    }

    private void receive(ServerSocket door, int port) {
        while (!door.isClosed()) {
            try {
                Socket here = door.accept();
                sockets.add(here);
                if (!cut) {
                    Socket there = new Socket(InetAddress.getLoopbackAddress(), port);
                    sockets.add(there);
                    threads.execute(() -> carry(here, there));
                    threads.execute(() -> carry(there, here));
                }
            } catch (IOException e) {
                // the door is closed, or the server is down: the next one tells
            }
        }
    }

    private void carry(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[64 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!cut) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // one side is gone, so the other goes too
        }
        closeQuietly(from);
        closeQuietly(to);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that cannot be closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket door : doors.values()) {
            door.close();
        }
        sockets.forEach(CuttableRoutes::closeQuietly);
        threads.shutdownNow();
    }
}
