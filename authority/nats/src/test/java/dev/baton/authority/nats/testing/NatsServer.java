package dev.baton.authority.nats.testing;

import dev.baton.authority.tck.Freezing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One {@code nats-server} process. It can be killed, started again on the same ports and data, and paused. None outlives
 * the JVM.
 */
public final class NatsServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Path dir;
    private final int port;
    private final String configuration;
    private @Nullable Process process;

    NatsServer(Path dir, int port, String configuration) {
        this.dir = dir;
        this.port = port;
        this.configuration = configuration;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Starts it, and waits until it listens; whether it has found the others is another question. */
    public void start() {
        if (process != null) {
            throw new IllegalStateException(address() + " runs already");
        }
        try {
            Files.createDirectories(dir);
            Path file = dir.resolve("nats.conf");
            Files.writeString(file, configuration);
            Process started = new ProcessBuilder(List.of("nats-server", "-c", file.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
            ALIVE.add(started);
            process = started;
        } catch (IOException e) {
            throw new UncheckedIOException("nats-server cannot be started: install nats-server, 2.9 or later", e);
        }
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

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        Process current = process;
        if (current == null) {
            return;
        }
        current.destroyForcibly();
        try {
            if (!current.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(address() + " did not end within " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + address(), e);
        }
        ALIVE.remove(current);
        process = null;
    }

    /** It keeps its connections, and the system still accepts new ones, but nothing is answered. */
    public void pause() {
        Freezing.stop(running());
    }

    public void resume() {
        Freezing.resume(running());
    }

    private Process running() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException(address() + " does not run");
        }
        return current;
    }

    private Path logFile() {
        return dir.resolve("log");
    }

    String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile(), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
