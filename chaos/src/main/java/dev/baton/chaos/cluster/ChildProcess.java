package dev.baton.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    synchronized void start() throws IOException {
        if (process != null && process.isAlive()) {
            return;
        }
        Files.createDirectories(log.getParent());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
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
        OptionalLong pid = pid();
        if (pid.isEmpty()) {
            throw new IOException(name + " does not run");
        }
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid.getAsLong()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException(name + ": SIG" + signal + " could not be sent to process " + pid.getAsLong());
        }
    }
}
