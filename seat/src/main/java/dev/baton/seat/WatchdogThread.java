package dev.baton.seat;

import dev.baton.core.timing.Deadlines;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops a term at its deadline even if the driver hangs.
 *
 * <p>INV-6: it has a thread of its own. It first ends the tenure, which stops the duty, and then gives the seat back.
 * If that does not finish within the grace, nothing but the end of the process is safe.
 */
final class WatchdogThread implements Watchdog {

    private final Consumer<SeatTenure> stopTerm;
    private final Consumer<String> halt;
    private final long graceNanos;
    private final Thread thread;
    private final Thread stopper;
    private volatile @Nullable SeatTenure watched;
    private volatile @Nullable SeatTenure stopping;
    private volatile long sleepsUntilNanos;
    private volatile boolean closed;

    WatchdogThread(String name, Duration grace, Consumer<SeatTenure> stopTerm, Consumer<String> halt) {
        this.stopTerm = stopTerm;
        this.halt = halt;
        this.graceNanos = grace.toNanos();
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::watch);
        this.stopper = Thread.ofPlatform().daemon().name(name + "-stop").unstarted(this::stop);
        thread.start();
        stopper.start();
    }

    /** It looks again when it wakes up, so it is woken for an earlier deadline only: each commit brings a later one. */
    @Override
    public void watch(SeatTenure tenure) {
        if (watched != tenure || tenure.deadlineNanos() - sleepsUntilNanos < 0) {
            watched = tenure;
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void rest() {
        watched = null;
    }

    private void watch() {
        while (!closed) {
            SeatTenure tenure = watched;
            if (tenure == null) {
                LockSupport.park(this);
            } else if (Deadlines.isPast(tenure.deadlineNanos(), System.nanoTime())) {
                enforce(tenure);
            } else {
                sleepUntil(tenure.deadlineNanos(), tenure);
            }
        }
    }

    /** First says until when, and then looks once more: whoever brings an earlier deadline sees the one or is seen. */
    private void sleepUntil(long deadlineNanos, SeatTenure tenure) {
        sleepsUntilNanos = deadlineNanos;
        if (tenure.deadlineNanos() - deadlineNanos >= 0) {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    private void enforce(SeatTenure tenure) {
        stopping = tenure;
        LockSupport.unpark(stopper);
        long haltNanos = System.nanoTime() + graceNanos;
        while (stopping == tenure && !closed) {
            if (Deadlines.isPast(haltNanos, System.nanoTime())) {
                halt.accept("term " + tenure.term() + " passed its deadline and could not be stopped");
                return;
            }
            LockSupport.parkNanos(this, Math.max(1, haltNanos - System.nanoTime()));
        }
        if (watched == tenure) {
            watched = null;
        }
    }

    private void stop() {
        while (!closed) {
            SeatTenure tenure = stopping;
            if (tenure == null) {
                LockSupport.park(this);
            } else {
                stopTerm.accept(tenure);
                stopping = null;
                LockSupport.unpark(thread);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        LockSupport.unpark(stopper);
    }
}
