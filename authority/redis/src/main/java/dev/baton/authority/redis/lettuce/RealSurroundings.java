package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.quorum.Surroundings;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's own clock. Tasks run one after another on whichever thread brings one while nobody else is at it, so
 * without contention nothing changes threads.
 */
final class RealSurroundings implements Surroundings {

    private static final Logger LOG = LoggerFactory.getLogger(RealSurroundings.class);

    private final ScheduledExecutorService timer;
    private final RandomGenerator random;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** How many tasks were given and are not finished; who raises it from zero does the work. */
    private final AtomicInteger unfinished = new AtomicInteger();

    RealSurroundings(ScheduledExecutorService timer, RandomGenerator random) {
        this.timer = timer;
        this.random = random;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void run(Runnable task) {
        tasks.add(task);
        if (unfinished.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = tasks.poll();
            if (next != null) {
                runOne(next);
            }
        } while (unfinished.decrementAndGet() > 0);
    }

    /** One task's failure is its own: the next one runs all the same. */
    private static void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A task failed", e);
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        RealTimer waiting = new RealTimer();
        try {
            waiting.scheduled = timer.schedule(
                    () -> run(() -> {
                        if (!waiting.cancelled) {
                            task.run();
                        }
                    }),
                    Math.max(0, delay.toNanos()),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Nothing is begun any more: the connections are closed", e);
        }
        return waiting;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    /** Cancelled from a task, looked at in a task: the order of tasks makes it visible. */
    private static final class RealTimer implements Timer {

        private @Nullable ScheduledFuture<?> scheduled;
        private boolean cancelled;

        @Override
        public void cancel() {
            cancelled = true;
            if (scheduled != null) {
                scheduled.cancel(false);
            }
        }
    }
}
