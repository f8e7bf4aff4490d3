package dev.baton.authority.redis.quorum;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Time, order and chance. In a running node they are real, in the simulator they are virtual. */
public interface Surroundings {

    /** The monotonic clock that all deadlines are on. */
    long nanos();

    /** Runs the task after everything given before, never two at once; perhaps on this very thread, and at once. */
    void run(Runnable task);

    /** Runs the task later, in the same order as {@link #run}. */
    Timer after(Duration delay, Runnable task);

    RandomGenerator random();

    /** A task that waits for its time. */
    interface Timer {
        /** The task will not begin any more. Only from a task. */
        void cancel();
    }
}
