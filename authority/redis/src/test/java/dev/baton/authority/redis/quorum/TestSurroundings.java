package dev.baton.authority.redis.quorum;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Real time on a thread of its own. */
final class TestSurroundings implements Surroundings, AutoCloseable {

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().unstarted(task));

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void run(Runnable task) {
        thread.execute(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Future<?> waiting = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> waiting.cancel(false);
    }

    @Override
    public RandomGenerator random() {
        return RandomGenerator.getDefault();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
