package dev.baton.duty.mempool.watch;

import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.DecoratedMempool;
import dev.baton.duty.mempool.Mempool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A pool whose watcher can be frozen just before any of its steps, and wakes later with the step still to do. */
final class FreezablePool extends DecoratedMempool {

    private final AtomicInteger fenced = new AtomicInteger();
    private volatile boolean frozen;
    private volatile boolean stuck;

    FreezablePool(Mempool pool) {
        super(pool);
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
    }

    /** Whether its watcher stands before a step now. */
    boolean isStuck() {
        return stuck;
    }

    /** How many of this watcher's steps the pool refused. */
    int fenced() {
        return fenced.get();
    }

    /** As a stopped process does, it hears of no interruption. */
    @Override
    protected <T> T around(String operation, Supplier<T> step) {
        while (frozen && operation.equals("confirm_slice")) {
            stuck = true;
            LockSupport.parkNanos(1_000_000);
        }
        if (stuck) {
            stuck = false;
            boolean ignored = Thread.interrupted();
        }
        T answer = step.get();
        if (answer instanceof Confirmation.Fenced) {
            fenced.incrementAndGet();
        }
        return answer;
    }
}
