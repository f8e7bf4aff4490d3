package dev.baton.authority.redis.testing;

import dev.baton.authority.tck.Freezing;
import dev.baton.authority.tck.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} process on a free loopback port, with a folder of its own. It can be stopped, killed, started
 * again on the same port and data, and paused. None outlives the JVM.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    /** How a server is to run. Immutable. */
    public record Setup(Path dir, Map<String, String> options, boolean tls) {

        public Setup {
            options = Map.copyOf(options);
        }

        /** Any setting of {@code redis.conf}; it overrides the defaults here. */
        public Setup option(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(options);
            more.put(name, value);
            return new Setup(dir, more, tls);
        }

        public Setup appendfsync(String policy) {
            return option("appendonly", "yes").option("appendfsync", policy);
        }

        /** Nothing is written to a disk: a restart forgets everything. */
        public Setup inMemory() {
            return option("appendonly", "no");
        }

        public Setup password(String password) {
            return option("requirepass", password);
        }

        /** Listens with TLS on {@link RedisServer#tlsAddress}, too, and expects clients to show a certificate. */
        public Setup tls(Path key, Path certificate, Path authority) {
            return new Setup(
                    dir,
                    option("tls-key-file", key.toString())
                            .option("tls-cert-file", certificate.toString())
                            .option("tls-ca-cert-file", authority.toString())
                            .options,
                    true);
        }

        public RedisServer start() {
            return new RedisServer(this);
        }
    }

    private final Setup setup;
    private int port;
    private int tlsPort;
    private @Nullable Process process;

    private RedisServer(Setup setup) {
        this.setup = setup;
        startOnFreePort();
    }

    /** Appends to a file, and syncs it before each answer, unless the setup is changed. */
    public static Setup in(Path dir) {
        return new Setup(dir, Map.of(), false).appendfsync("always");
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public String tlsAddress() {
        return "127.0.0.1:" + tlsPort;
    }

    /** Starts it again where it was, with the data it still has. */
    public void start() {
        if (isRunning()) {
            throw new IllegalStateException(address() + " runs already");
        }
        launch();
        awaitReady();
    }

    /** Ends it in an orderly way. */
    public void stop() {
        end(false);
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        end(true);
    }

    public void restart() {
        stop();
        start();
    }

    /** It keeps its connections, and the system still accepts new ones, but nothing is answered. */
    public void pause() {
        Freezing.stop(running());
    }

    public void resume() {
        Freezing.resume(running());
    }

    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    /**
     * Runs a command over a connection of its own: strings, {@code Long}s, lists of those, {@code "(nil)"}. What Redis
     * refuses is thrown as {@link RedisError}, wrapped.
     */
    public Object call(String... command) {
        try (Resp resp = new Resp(port)) {
            String password = setup.options().get("requirepass");
            if (password != null) {
                resp.call("AUTH", password);
            }
            return resp.call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(address() + ": " + List.of(command), e);
        }
    }

    /** One line of {@code INFO}. */
    public String info(String section, String name) {
        return String.valueOf(call("INFO", section))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(address() + ": no " + name + " in INFO " + section));
    }

    @Override
    public void close() {
        kill();
    }

    private void startOnFreePort() {
        for (int attempt = 1; ; attempt++) {
            port = LoopbackPorts.next();
            tlsPort = setup.tls() ? LoopbackPorts.next() : 0;
            launch();
            try {
                awaitReady();
                return;
            } catch (IllegalStateException e) {
                // Another process took the port between our look and the server's bind.
                if (attempt == 5 || !log().contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    private void launch() {
        try {
            Files.createDirectories(setup.dir());
            Process started = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
            ALIVE.add(started);
            process = started;
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server cannot be started: install redis-server, 6.2 or later", e);
        }
    }

    private List<String> command() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("bind", "127.0.0.1");
        options.put("port", Integer.toString(port));
        options.put("dir", setup.dir().toString());
        options.put("save", "");
        options.put("daemonize", "no");
        if (setup.tls()) {
            options.put("tls-port", Integer.toString(tlsPort));
        }
        options.putAll(setup.options());
        List<String> command = new ArrayList<>(List.of("redis-server"));
        options.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
        return command;
    }

    private void awaitReady() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            if (exited(Duration.ofMillis(5))) {
                throw new IllegalStateException(address() + " did not start: " + log());
            }
            if (answers()) {
                return;
            }
        }
        throw new IllegalStateException(address() + " is not ready after " + PATIENCE + ": " + log());
    }

    private boolean answers() {
        try (Resp resp = new Resp(port)) {
            resp.call("PING");
            return isOurs();
        } catch (RedisError e) {
            return !String.valueOf(e.getMessage()).startsWith("LOADING") && isOurs();
        } catch (IOException e) {
            return false;
        }
    }

    /** Not somebody else's Redis on a port that ours could not bind. */
    private boolean isOurs() {
        return !exited(Duration.ofMillis(20));
    }

    private boolean exited(Duration within) {
        Process current = process;
        if (current == null) {
            return true;
        }
        try {
            return current.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + address(), e);
        }
    }

    private void end(boolean forcibly) {
        Process current = process;
        if (current == null) {
            return;
        }
        if (forcibly) {
            current.destroyForcibly();
        } else {
            current.destroy();
        }
        if (!exited(PATIENCE)) {
            current.destroyForcibly();
            throw new IllegalStateException(address() + " did not end within " + PATIENCE);
        }
        ALIVE.remove(current);
        process = null;
    }

    private Process running() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException(address() + " does not run");
        }
        return current;
    }

    private Path logFile() {
        return setup.dir().resolve("redis.log");
    }

    private String log() {
        return Optional.of(logFile())
                .filter(Files::exists)
                .map(file -> {
                    try {
                        return Files.readString(file, StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .orElse("");
    }
}
