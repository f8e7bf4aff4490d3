package dev.baton.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The real surroundings: virtual threads, one timer thread, the machine's clock and randomness. */
final class Machinery {

    private final ExecutorService workers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("baton-client-", 0).factory());
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("baton-client-timer").daemon().factory());
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();

    /** A task for later; compared by identity, because one task may be scheduled twice. */
    private static final class Pending {
        private final Runnable task;

        Pending(Runnable task) {
            this.task = task;
        }
    }

    Surroundings surroundings() {
        return new Surroundings(
                System::nanoTime, () -> ThreadLocalRandom.current().nextDouble(), this::after, this::now);
    }

    private void now(Runnable task) {
        try {
            workers.execute(task);
        } catch (RejectedExecutionException e) {
            task.run(); // the client is closed: what still ends is told on the thread that ended it
        }
    }

    private void after(long delayNanos, Runnable task) {
        Pending later = new Pending(task);
        pending.add(later);
        try {
            // the timer only wakes: a task may run what callers attached to their futures
            ScheduledFuture<?> unused = timer.schedule(
                    () -> {
                        if (pending.remove(later)) {
                            now(task);
                        }
                    },
                    delayNanos,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            runNow(later);
        }
    }

    /** The client is closed: a request that pauses is to fail now, not to wait for ever. */
    private void runNow(Pending later) {
        if (pending.remove(later)) {
            later.task.run();
        }
    }

    void stop() {
        timer.shutdownNow();
        pending.forEach(this::runNow);
        workers.shutdown();
    }
}
