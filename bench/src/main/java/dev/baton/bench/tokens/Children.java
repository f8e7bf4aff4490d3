package dev.baton.bench.tokens;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The processes of one run and where they write. When this process ends, however it does, they end too. */
public final class Children implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long GRACE_SECONDS = 3;

    /** Below what operating systems hand out to outgoing connections, which would take a port before its server does. */
    private static final int LOWEST_PORT = 20_000;

    private static final int PORTS = 12_000;

    private final Path folder;
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final List<Integer> given = new CopyOnWriteArrayList<>();
    private final Thread lastResort = Thread.ofPlatform().unstarted(this::destroy);

    public Children(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** A folder for one of them, made if it is not there. */
    public Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    /** Starts a program; what it says goes to the log in this folder. */
    Process start(Path log, List<String> command) throws IOException {
        return start(log, command, Map.of());
    }

    public Process start(Path log, List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return keep(builder.start());
    }

    /** Ends this process with all others. */
    Process keep(Process process) {
        processes.add(process);
        return process;
    }

    /** Runs a program to its end; its exit code must be 0. */
    void run(Path log, List<String> command) throws IOException, InterruptedException {
        int code = start(log, command).waitFor();
        if (code != 0) {
            throw new IllegalStateException(
                    command.getFirst() + " ended with " + code + " (expected: 0): " + lastWords(log));
        }
    }

    /** A port of the loopback address that nobody listens on, given once in a run. */
    synchronized int freePort() {
        while (true) {
            int port = LOWEST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            if (!given.contains(port) && isFree(port)) {
                given.add(port);
                return port;
            }
        }
    }

    public List<Integer> freePorts(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(freePort());
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether something is as it should be, asked again and again. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits until a server is ready; a failed attempt to ask it counts as no. */
    public void await(String what, Process process, Path log, Condition condition) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (!process.isAlive() || System.nanoTime() > giveUpNanos) {
                throw new IllegalStateException(what + " is not ready"
                        + (process.isAlive() ? " within " + PATIENCE : ", it ended with " + process.exitValue()) + ": "
                        + lastWords(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean holds(Condition condition) throws InterruptedException {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a server answers these bytes with something that begins so. */
    static boolean answers(int port, byte[] question, char first) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            socket.setSoTimeout(500);
            socket.getOutputStream().write(question);
            InputStream in = socket.getInputStream();
            return in.read() == first;
        }
    }

    static String lastWords(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends one of them before the others. */
    static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void destroy() {
        processes.forEach(Process::destroyForcibly);
    }

    @Override
    public void close() throws InterruptedException {
        List<Process> newestFirst = new ArrayList<>(processes).reversed(); // callers before their servers
        newestFirst.forEach(Process::destroy);
        long giveUpNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        for (Process process : newestFirst) {
            if (!process.waitFor(Math.max(1, giveUpNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
