package dev.baton.duty.mempool;

import java.util.function.Supplier;

/** A pool whose operations are timed. */
public final class TimedMempool extends DecoratedMempool {

    /** Hears how long each operation took. Called on the caller's thread. */
    @FunctionalInterface
    public interface Stopwatch {
        void took(String operation, long nanos, boolean failed);
    }

    private final Stopwatch stopwatch;

    public TimedMempool(Mempool pool, Stopwatch stopwatch) {
        super(pool);
        this.stopwatch = stopwatch;
    }

    @Override
    protected <T> T around(String operation, Supplier<T> step) {
        long begun = System.nanoTime();
        boolean failed = true;
        try {
            T answer = step.get();
            failed = false;
            return answer;
        } finally {
            stopwatch.took(operation, System.nanoTime() - begun, failed);
        }
    }
}
