package dev.baton.process;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops a workload: politely first, then ever harder, until it is proven to be down.
 *
 * <p>A rung's success is never believed: only that no process is found any more ends the climb. Stateless, so that the
 * node and its watchdog process may climb at the same time. Not stopped by an interrupt: whoever began must finish.
 */
public record Ladder(List<Rung> rungs) {

    /** How long to wait between two looks. */
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A command may start processes of its own: they must not count as part of what it stops. */
    private static final File NOWHERE = new File("/dev/null");

    public Ladder {
        rungs = List.copyOf(rungs);
        if (rungs.isEmpty()) {
            throw new IllegalArgumentException("ladder: no rungs (expected: one or more)");
        }
    }

    /** How long a climb takes at most. */
    public Duration longest() {
        return rungs.stream().map(Rung::timeout).reduce(Duration.ZERO, Duration::plus);
    }

    /** Climbs until the workload is down, or no rung is left. Blocks for {@link #longest} at most. */
    public Climb climb(Workload workload) {
        long begunNanos = System.nanoTime();
        if (workload.isDown()) {
            return new Climb.Proven("nothing ran", since(begunNanos));
        }
        for (Rung rung : rungs) {
            if (helps(rung, workload)) {
                return new Climb.Proven(rung.name(), since(begunNanos));
            }
        }
        return workload.isDown()
                ? new Climb.Proven("at the last moment", since(begunNanos))
                : new Climb.Failed(describe(workload.processes()), since(begunNanos));
    }

    private static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    private static String describe(List<Long> left) {
        List<String> words = new ArrayList<>();
        for (long pid : left) {
            words.add(pid
                    + ProcessHandle.of(pid)
                            .flatMap(handle -> handle.info().command())
                            .map(" "::concat)
                            .orElse(""));
        }
        return String.join(", ", words);
    }

    private static boolean helps(Rung rung, Workload workload) {
        long untilNanos = System.nanoTime() + rung.timeout().toNanos();
        switch (rung) {
            case Rung.Signal(String name, String signal, Duration timeout) -> signal(signal, workload.roots());
            case Rung.Command(String name, List<String> command, Duration timeout) -> start(command);
            case Rung.Kill ignored -> {}
        }
        while (true) {
            if (workload.isDown()) {
                return true;
            }
            if (System.nanoTime() - untilNanos >= 0) {
                return false;
            }
            if (rung instanceof Rung.Kill) {
                kill(workload.roots()); // first those that would start others
                kill(workload.processes());
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            Thread.interrupted(); // a set flag would make this loop spin; the climb goes on whatever happens
        }
    }

    private static void signal(String signal, List<Long> pids) {
        for (long pid : pids) {
            start(List.of("kill", "-" + signal, Long.toString(pid)));
        }
    }

    /** Needs no new process, so it works on a machine that cannot start any. */
    private static void kill(List<Long> pids) {
        for (long pid : pids) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static void start(List<String> command) {
        try {
            new ProcessBuilder(command)
                    .redirectInput(NOWHERE)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // The next rung is tried in its time: that this one could not even begin changes nothing.
        }
    }
}
