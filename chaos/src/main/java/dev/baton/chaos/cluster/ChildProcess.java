package dev.baton.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that the harness starts, hurts and starts again. Beside it waits a shell that kills it when the harness is
 * gone, however that came. Thread-safe.
 */
final class ChildProcess {

    /** Kills the process of this number, if it still is the one that was started with these words. */
    private static final String GUARD = """
            while read -r line; do :; done
            case $(tr '\\0' ' ' <"/proc/$1/cmdline" 2>/dev/null) in
              *"$2"*) kill -KILL "$1" ;;
            esac
            """;

    private static final long GONE_SECONDS = 20;

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private final String mark;
    private boolean retired;
    /** Whether it is to run: nobody here has ended it, or has begun something that may end it. */
    private boolean wanted;

    private @Nullable Process process;
    private @Nullable Process guard;

    /**
     * A process to be.
     *
     * @param mark a word of the command line that no other process has, as the path of its configuration
     */
    ChildProcess(String name, List<String> command, Map<String, String> environment, Path log, String mark) {
        this.name = name;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = log;
        this.mark = mark;
    }

    String name() {
        return name;
    }

    /** Starts it, unless it runs or was retired. */
    void start() throws IOException {
        start(Map.of());
    }

    /** The same with further variables in its environment, for this time only. */
    synchronized void start(Map<String, String> more) throws IOException {
        if (retired) {
            return;
        }
        wanted = true;
        if (isAlive()) {
            return;
        }
        Files.createDirectories(log.getParent());
        // A write beyond the limit on file sizes is to fail, as on a full disk, and not to kill (SIGXFSZ).
        List<String> words = new ArrayList<>(List.of("sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        builder.environment().putAll(more);
        Process started = builder.start();
        started.getOutputStream().close();
        process = started;
        guard = new ProcessBuilder(List.of("sh", "-c", GUARD, "guard", Long.toString(started.pid()), mark))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    synchronized OptionalLong pid() {
        return process != null && process.isAlive() ? OptionalLong.of(process.pid()) : OptionalLong.empty();
    }

    /** It is not started any more from now on, whoever asks for that. */
    synchronized void retire() {
        retired = true;
    }

    /** Starts it again if it has ended by itself, as whoever runs a service does. */
    synchronized void revive() throws IOException {
        if (wanted && !isAlive()) {
            start();
        }
    }

    private synchronized void unwanted() {
        wanted = false;
    }

    /** From now on each write to a file fails, until the process is gone. */
    void fillDisk() throws IOException, InterruptedException {
        unwanted(); // a new process would have a disk with room
        run(List.of("prlimit", "--pid", Long.toString(livePid()), "--fsize=1:"), "its files cannot be limited");
    }

    /** SIGKILL; returns when it is gone. */
    void kill() throws IOException, InterruptedException {
        end(true, GONE_SECONDS);
    }

    /** SIGTERM, and SIGKILL for one that does not go in time. */
    void stop(long patienceSeconds) throws IOException, InterruptedException {
        end(false, patienceSeconds);
    }

    private void end(boolean forcibly, long patienceSeconds) throws IOException, InterruptedException {
        Process ending;
        Process watching;
        synchronized (this) {
            wanted = false;
            ending = process;
            watching = guard;
        }
        if (ending == null) {
            return;
        }
        if (forcibly) {
            ending.destroyForcibly();
        } else {
            ending.destroy();
        }
        if (!ending.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
            ending.destroyForcibly();
            if (!ending.waitFor(GONE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + ", process " + ending.pid() + ": still there " + GONE_SECONDS
                        + " s after SIGKILL (expected: gone)");
            }
        }
        if (watching != null) {
            watching.destroyForcibly();
        }
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void wake() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        run(List.of("kill", "-" + signal, Long.toString(livePid())), "SIG" + signal + " could not be sent");
    }

    private long livePid() throws IOException {
        return pid().orElseThrow(() -> new IOException(name + " does not run"));
    }

    private void run(List<String> words, String trouble) throws IOException, InterruptedException {
        Process done = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (done.waitFor() != 0) {
            throw new IOException(name + ": " + trouble + " (" + String.join(" ", words) + ")");
        }
    }
}
