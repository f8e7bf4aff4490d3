package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Keeps processes running: starts them, restarts one that died, and stops all. */
final class Supervisor {

    private static final Duration BEFORE_RESTART = Duration.ofSeconds(1);
    private static final Duration BRIEF = Duration.ofSeconds(10);
    private static final int MOST_BRIEF_LIVES = 5;
    private static final Duration STOP = Duration.ofSeconds(6);
    private static final Duration RESIGN = Duration.ofMillis(400);
    private static final int SIGKILLED = 128 + 9;
    private static final int LOG_LINES = 15;

    /** Hears of processes that come and go. Called by any thread. */
    interface Listener {
        void started(String name, long pid);

        void died(String name, long pid, int exitCode, Duration restartIn);

        /** One cannot run at all; the cluster must stop. */
        void hopeless(CliFailure why);
    }

    private final ClusterFolder folder;
    private final Listener listener;
    private final Map<String, Program> programs = new LinkedHashMap<>();
    private final Map<String, Process> running = new HashMap<>();
    private final Map<String, Integer> briefLives = new HashMap<>();
    private final ScheduledExecutorService restarts = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("restarts").daemon().factory());
    private boolean stopping;

    Supervisor(ClusterFolder folder, List<? extends Program> programs, Listener listener) {
        this.folder = folder;
        this.listener = listener;
        programs.forEach(program -> this.programs.put(program.name(), program));
    }

    void startAll() throws CliFailure {
        for (Program program : programs.values()) {
            start(program);
        }
    }

    private synchronized void start(Program program) throws CliFailure {
        if (stopping) {
            return;
        }
        try {
            Process process = program.start();
            long beganNanos = System.nanoTime();
            running.put(program.name(), process);
            folder.started(program.name(), process.pid());
            listener.started(program.name(), process.pid());
            var unused = process.onExit()
                    .thenAccept(ended -> ended(program, ended, Duration.ofNanos(System.nanoTime() - beganNanos)));
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.FAILED,
                    program.name() + " could not be started: " + e.getMessage() + " (expected: a program that runs, and"
                            + " files in " + folder.settings().folder(program.name()) + " that this user may write)",
                    e);
        }
    }

    private synchronized void ended(Program program, Process process, Duration life) {
        program.ended();
        if (stopping) {
            return;
        }
        String name = program.name();
        running.remove(name);
        int code = process.exitValue();
        boolean brief = code != SIGKILLED && life.compareTo(BRIEF) < 0;
        int briefInARow = brief ? briefLives.merge(name, 1, Integer::sum) : 0;
        if (!brief) {
            briefLives.remove(name);
        }
        Optional<Exit> hopeless = program.hopeless(code);
        if (hopeless.isPresent() || briefInARow >= MOST_BRIEF_LIVES) {
            listener.hopeless(new CliFailure(
                    hopeless.or(() -> Exit.numbered(code))
                            .filter(exit -> exit != Exit.OK)
                            .orElse(Exit.FAILED),
                    name + " cannot run, it ended with " + code + "; the end of " + program.log() + ":"
                            + lastLines(program.log())));
            return;
        }
        listener.died(name, process.pid(), code, BEFORE_RESTART);
        var unused = restarts.schedule(() -> restart(program), BEFORE_RESTART.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void restart(Program program) {
        try {
            start(program);
        } catch (CliFailure e) {
            listener.hopeless(e);
        }
    }

    private static String lastLines(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            StringBuilder text = new StringBuilder();
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())
                    .forEach(line -> text.append("\n  ").append(line));
            return text.toString();
        } catch (IOException e) {
            return " (not readable: " + e + ")";
        }
    }

    /**
     * Stops everything: the named one first, so that a leader resigns while there still is a majority to hear it;
     * whoever is not gone in time is killed. Nothing runs any more when this returns.
     */
    void stopAll(Optional<String> first) {
        Map<String, Process> left;
        synchronized (this) {
            stopping = true;
            left = new HashMap<>(running);
        }
        restarts.shutdownNow();
        first.map(left::get).ifPresent(process -> {
            process.destroy();
            awaitEnd(process, System.nanoTime() + RESIGN.toNanos());
        });
        left.values().forEach(Process::destroy);
        long deadlineNanos = System.nanoTime() + STOP.toNanos();
        List<Process> stubborn = new ArrayList<>();
        for (Process process : left.values()) {
            if (!awaitEnd(process, deadlineNanos)) {
                process.destroyForcibly();
                stubborn.add(process);
            }
        }
        stubborn.forEach(process -> awaitEnd(process, System.nanoTime() + STOP.toNanos()));
        programs.values().forEach(Program::ended);
    }

    /** Even when the thread is interrupted: leaving now would leave processes behind. */
    private static boolean awaitEnd(Process process, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    var unused =
                            process.onExit().get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (TimeoutException e) {
                    return false;
                } catch (ExecutionException e) {
                    return !process.isAlive();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
