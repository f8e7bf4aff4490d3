package dev.baton.client;

import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a client takes from outside, so that a test can give it something else.
 *
 * @param nanoClock monotonic
 * @param dice from 0 up to, not including, 1
 * @param timer runs something later
 * @param worker runs something now, on a thread that may block
 */
record Surroundings(LongSupplier nanoClock, DoubleSupplier dice, Timer timer, Executor worker) {

    /** Runs a task once, after a while. */
    interface Timer {
        void after(long delayNanos, Runnable task);
    }
}
