package dev.baton.process;

import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Tenure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A workload under guard: started here only, stopped for sure, and watched by a process of its own while it acts under
 * a term. Thread-safe.
 */
public final class Supervised implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Supervised.class);

    /** What a process ends with whose workload cannot be stopped; the same as where a driver finds that out. */
    public static final int EXIT_CANNOT_STOP = 70;

    /** A watchdog that is silent for so long is replaced, or the term ends. */
    private static final Duration WATCHDOG_PATIENCE = Duration.ofSeconds(5);

    private final WatchFile watched;
    private final StopTimes times;
    private final Path folder;
    private final FencingCount count = new FencingCount();
    private final AtomicInteger stopping = new AtomicInteger();
    private @Nullable Watchdog watchdog;

    /**
     * @param folder where the watchdog's file and log are kept
     */
    public Supervised(Workload workload, Ladder ladder, SeatTimings timings, Path folder) {
        this.watched = new WatchFile(workload, ladder);
        this.times = new StopTimes(timings);
        this.folder = folder;
    }

    public Workload workload() {
        return watched.workload();
    }

    public FencingCount count() {
        return count;
    }

    /** Starts a process of the workload, unless it is being stopped at this moment. */
    public synchronized Process start(ProcessBuilder program) throws IOException {
        if (stopping.get() > 0) {
            throw new IOException("not started, because the workload is being stopped");
        }
        return program.start();
    }

    /** Gets the watchdog process ready, so that a term need not wait for it. */
    public synchronized void guard() throws IOException, InterruptedException {
        Watchdog current = watchdog;
        Optional<String> objection = current == null ? Optional.of("none yet") : current.objection(WATCHDOG_PATIENCE);
        if (objection.isPresent()) {
            if (current != null) {
                LOG.warn("starting another watchdog process: {}", objection.get());
                ProcessHandle.of(current.pid()).ifPresent(ProcessHandle::destroyForcibly);
                current.close();
            }
            watchdog = Watchdog.start(watched, folder.resolve("watchdog.txt"), folder.resolve("watchdog.log"));
        }
    }

    /** INV-23: the workload may act under this term, as far as it is renewed now, and not a moment longer. */
    public synchronized void allow(Tenure tenure) throws IOException, InterruptedException {
        guard();
        tenure.check();
        Watchdog current = watchdog;
        if (current == null || stopping.get() > 0) {
            throw new IOException("not allowed, because the workload is being stopped");
        }
        current.arm(times.stopAtNanos(tenure));
    }

    public synchronized Optional<Long> watchdogPid() {
        return Optional.ofNullable(watchdog).map(Watchdog::pid);
    }

    /**
     * Returns when the workload is proven to be down, and not before.
     *
     * <p>If the ladder fails it is climbed again and again. Whoever waits for this must not give the seat back
     * meanwhile: the driver halts the process when the term's time is up, and the watchdog process goes on climbing.
     */
    public void stop(String why) {
        stopping.incrementAndGet();
        try {
            Climb climb = climb(why);
            while (climb instanceof Climb.Failed(String left, Duration took)) {
                LOG.error(
                        "FENCING FAILED after {} ms: still running: {}. Stop it by hand, or cut this machine off; the"
                                + " seat is not given back before it is down",
                        took.toMillis(),
                        left);
                climb = climb(why);
            }
            rest();
        } finally {
            stopping.decrementAndGet();
        }
    }

    private Climb climb(String why) {
        Climb climb = watched.ladder().climb(watched.workload());
        count.note(climb);
        LOG.info("stopped {} ({}): {}", watched.workload(), why, climb);
        return climb;
    }

    private synchronized void rest() {
        Watchdog current = watchdog;
        if (current != null) {
            try {
                current.rest();
            } catch (IOException e) {
                LOG.warn("the watchdog process did not hear that the workload is down: {}", e.toString());
            }
        }
    }

    /**
     * Stops the workload, then the watchdog process. If the workload cannot be stopped, this process is halted with a
     * status of its own, and the watchdog process goes on trying.
     */
    @Override
    public void close() {
        if (climb("closing") instanceof Climb.Failed(String left, Duration took)) {
            LOG.error("FENCING FAILED: this process ends, and its watchdog goes on trying to stop {}", left);
            Runtime.getRuntime().halt(EXIT_CANNOT_STOP);
        }
        rest();
        synchronized (this) {
            if (watchdog != null) {
                watchdog.close();
                watchdog = null;
            }
        }
    }
}
