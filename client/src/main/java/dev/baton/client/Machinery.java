package dev.baton.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The real surroundings: virtual threads, one timer thread, the machine's clock and randomness. */
record Machinery(ExecutorService workers, ScheduledThreadPoolExecutor timer) {

    static Machinery start() {
        ExecutorService workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("baton-client-", 0).factory());
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("baton-client-timer").daemon().factory());
        return new Machinery(workers, timer);
    }

    Surroundings surroundings() {
        return new Surroundings(
                System::nanoTime, () -> ThreadLocalRandom.current().nextDouble(), this::after, workers);
    }

    private void after(long delayNanos, Runnable task) {
        try {
            // the timer only wakes: a task may run what callers attached to their futures
            ScheduledFuture<?> unused = timer.schedule(() -> workers.execute(task), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            task.run(); // the client is closed: a request that pauses is to fail now, not to wait for ever
        }
    }

    void stop() {
        timer.shutdownNow().forEach(Runnable::run);
        workers.shutdown();
    }
}
