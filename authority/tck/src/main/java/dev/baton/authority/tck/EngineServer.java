package dev.baton.authority.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * One process of an engine on loopback. It can be killed, started again on the same port and data, and paused. None
 * outlives the JVM.
 */
public abstract class EngineServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Path dir;
    private final int port;
    private final String remedy;
    private @Nullable Process process;

    /**
     * A server that does not run yet.
     *
     * @param dir where it keeps its data and its log
     * @param remedy what to do when it cannot be started, such as {@code install etcd-server, 3.4 or later}
     */
    protected EngineServer(Path dir, int port, String remedy) {
        this.dir = dir;
        this.port = port;
        this.remedy = remedy;
    }

    /** What to run; the folder is there. */
    protected abstract List<String> command() throws IOException;

    public final String address() {
        return "127.0.0.1:" + port;
    }

    /** Starts it and returns at once. */
    public final void start() {
        if (process != null) {
            throw new IllegalStateException(address() + " runs already");
        }
        try {
            Files.createDirectories(dir);
            Process started = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
            ALIVE.add(started);
            process = started;
        } catch (IOException e) {
            throw new UncheckedIOException(address() + " cannot be started: " + remedy, e);
        }
    }

    /** Ends it as {@code kill -9} does. */
    public final void kill() {
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
    public final void pause() {
        Freezing.stop(running());
    }

    public final void resume() {
        Freezing.resume(running());
    }

    protected final Process running() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException(address() + " does not run");
        }
        return current;
    }

    private Path logFile() {
        return dir.resolve("log");
    }

    public final String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile(), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public final void close() {
        kill();
    }
}
