package dev.baton.seat;

/**
 * One thread's worth of order: what is posted runs one after the other, and timers run in between.
 *
 * <p>In a running node it is a thread; in the simulator it is a queue in virtual time, so the same driver runs in both.
 */
public interface Loop {

    /** The monotonic clock that all deadlines of this loop are on. Callable from any thread. */
    long nanos();

    /** The wall clock, for people to read. Callable from any thread. */
    long wallMillis();

    /** Runs the task after everything posted before. Callable from any thread; never blocks. */
    void post(Runnable task);

    /** Runs the task at that time or soon after. Only from a task of this loop. */
    Timer schedule(long atNanos, Runnable task);

    /** A task that waits for its time. */
    interface Timer {
        /** The task will not run any more. Only from a task of the same loop. */
        void cancel();
    }
}
