package dev.baton.authority.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Stops a process where it stands, by signal, and lets it go on: it keeps its connections, and answers nothing. */
public final class Freezing {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Freezing() {}

    /** Returns when no thread of the process runs any more: a signal is only queued when it is sent. */
    public static void stop(Process process) {
        signal("STOP", process);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isStopped(process)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("process " + process.pid() + " does not stop within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
    }

    public static void resume(Process process) {
        signal("CONT", process);
    }

    private static boolean isStopped(Process process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return threads.allMatch(Freezing::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(Path thread) {
        try {
            String status = Files.readString(thread.resolve("stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            return false; // it has just ended; the next look does not list it
        }
    }

    private static void signal(String name, Process process) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " answered " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while signalling process " + process.pid(), e);
        }
    }
}
