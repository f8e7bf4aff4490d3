package dev.baton.authority.etcd.testing;

import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.Freezing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One {@code etcd} process. It can be killed, started again on the same ports and data, and paused. None outlives the
 * JVM.
 */
public final class EtcdServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Path dir;
    private final int clientPort;
    private final int peerPort;
    private final String members;
    private final List<String> options;
    private final Optional<Certificates> tls;
    private @Nullable Process process;

    EtcdServer(
            String name,
            Path dir,
            int clientPort,
            int peerPort,
            String members,
            List<String> options,
            Optional<Certificates> tls) {
        this.name = name;
        this.dir = dir;
        this.clientPort = clientPort;
        this.peerPort = peerPort;
        this.members = members;
        this.options = options;
        this.tls = tls;
    }

    public String address() {
        return "127.0.0.1:" + clientPort;
    }

    /** Starts it; whether it has found the others is a question for {@link EtcdServers#awaitLeader}. */
    public void start() {
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
            throw new UncheckedIOException("etcd cannot be started: install etcd-server, 3.4 or later", e);
        }
    }

    private List<String> command() {
        String client = (tls.isPresent() ? "https://" : "http://") + address();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + dir.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + members,
                "--initial-cluster-state=new",
                "--heartbeat-interval=20",
                "--election-timeout=200",
                "--logger=zap"));
        tls.ifPresent(files -> command.addAll(List.of(
                "--cert-file=" + files.certificate(),
                "--key-file=" + files.key(),
                "--trusted-ca-file=" + files.authority(),
                "--client-cert-auth=true")));
        command.addAll(options);
        return command;
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
