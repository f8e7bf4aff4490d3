package dev.baton.authority.raft;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who wait for something to change, so that they look again at once instead of after a while. */
final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    /** Taken before looking; see {@link #await}. */
    long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    void raise() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a change after {@code seen}, but no longer than {@code atMostMillis}. */
    void await(long seen, long atMostMillis) {
        lock.lock();
        try {
            long leftNanos = TimeUnit.MILLISECONDS.toNanos(atMostMillis);
            while (changes == seen && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
