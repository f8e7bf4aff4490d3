package dev.baton.authority.nats.testing;

import dev.baton.authority.tck.EngineServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One {@code nats-server} process; whether it has found the others is another question. */
public final class NatsServer extends EngineServer {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path dir;
    private final int port;
    private final String configuration;

    NatsServer(Path dir, int port, String configuration) {
        super(dir, port, "install nats-server, 2.9 or later");
        this.dir = dir;
        this.port = port;
        this.configuration = configuration;
    }

    @Override
    protected List<String> command() throws IOException {
        Path file = dir.resolve("nats.conf");
        Files.writeString(file, configuration);
        return List.of("nats-server", "-c", file.toString());
    }

    void awaitListening() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!listens()) {
            if (System.nanoTime() - end > 0 || !running().isAlive()) {
                throw new IllegalStateException(address() + " does not listen: " + log());
            }
            Thread.onSpinWait();
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
