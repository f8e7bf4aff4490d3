package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Keeps the node processes running: starts them, restarts one that died, and stops all. */
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
        void started(String node, long pid);

        void died(String node, long pid, int exitCode, Duration restartIn);

        /** A node cannot run at all; the cluster must stop. */
        void hopeless(CliFailure why);
    }

    private final ClusterFolder folder;
    private final Listener listener;
    private final Map<String, Process> running = new HashMap<>();
    private final Map<String, Integer> briefLives = new HashMap<>();
    private final ScheduledExecutorService restarts = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("restarts").daemon().factory());
    private boolean stopping;

    Supervisor(ClusterFolder folder, Listener listener) {
        this.folder = folder;
        this.listener = listener;
    }

    void startAll() throws CliFailure {
        for (var member : folder.file().nodes()) {
            start(member.node());
        }
    }

    private synchronized void start(String node) throws CliFailure {
        if (stopping) {
            return;
        }
        try {
            ClusterFile cluster = folder.file();
            NodeFiles.write(folder.settings(), cluster, cluster.member(node).orElseThrow());
            Process process = NodeLauncher.start(folder.settings(), node);
            long beganNanos = System.nanoTime();
            running.put(node, process);
            folder.started(node, process.pid());
            listener.started(node, process.pid());
            var unused = process.onExit()
                    .thenAccept(ended -> ended(node, ended, Duration.ofNanos(System.nanoTime() - beganNanos)));
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.FAILED,
                    "node " + node + " could not be started: " + e.getMessage() + " (expected: a JVM, and files in "
                            + folder.settings().folder(node) + " that this user may write)",
                    e);
        }
    }

    private synchronized void ended(String node, Process process, Duration life) {
        if (stopping) {
            return;
        }
        running.remove(node);
        int code = process.exitValue();
        boolean brief = code != SIGKILLED && life.compareTo(BRIEF) < 0;
        int briefInARow = brief ? briefLives.merge(node, 1, Integer::sum) : 0;
        if (!brief) {
            briefLives.remove(node);
        }
        Optional<Exit> fatal = fatal(code);
        if (fatal.isPresent() || briefInARow >= MOST_BRIEF_LIVES) {
            listener.hopeless(new CliFailure(
                    fatal.orElse(Exit.FAILED),
                    "node " + node + " cannot run, it ended with " + code + "; the end of "
                            + folder.settings().log(node) + ":" + lastLines(node)));
            return;
        }
        listener.died(node, process.pid(), code, BEFORE_RESTART);
        var unused = restarts.schedule(() -> restart(node), BEFORE_RESTART.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void restart(String node) {
        try {
            start(node);
        } catch (CliFailure e) {
            listener.hopeless(e);
        }
    }

    /** What another start would not cure. */
    private static Optional<Exit> fatal(int code) {
        for (Exit exit :
                List.of(Exit.USAGE, Exit.CONFIGURATION, Exit.DATA_FOLDER, Exit.PORT_IN_USE, Exit.DISAGREEMENT)) {
            if (exit.number() == code) {
                return Optional.of(exit);
            }
        }
        return Optional.empty();
    }

    private String lastLines(String node) {
        try {
            List<String> lines = Files.readAllLines(folder.settings().log(node));
            StringBuilder text = new StringBuilder();
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())
                    .forEach(line -> text.append("\n  ").append(line));
            return text.toString();
        } catch (IOException e) {
            return " (not readable: " + e + ")";
        }
    }

    /**
     * Stops every node: the leader first, so that it resigns while there still is a majority to hear it; whoever is
     * not gone in time is killed. Nothing runs any more when this returns.
     */
    void stopAll(Optional<String> leader) {
        Map<String, Process> left;
        synchronized (this) {
            stopping = true;
            left = new HashMap<>(running);
        }
        restarts.shutdownNow();
        leader.map(left::get).ifPresent(process -> {
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
