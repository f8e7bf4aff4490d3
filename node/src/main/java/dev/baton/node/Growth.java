package dev.baton.node;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes whoever waits for new blocks. Thread-safe. */
public final class Growth {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition grown = lock.newCondition();
    private long times;

    /** There is more now. */
    public void noted() {
        lock.lock();
        try {
            times++;
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How often it grew; ask before reading, so that nothing is missed between reading and waiting. */
    public long times() {
        lock.lock();
        try {
            return times;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it grew more often than {@code seen}, or the patience ends. */
    public void await(long seen, Duration patience) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = patience.toNanos();
            while (times == seen && leftNanos > 0) {
                leftNanos = grown.awaitNanos(leftNanos);
            }
        } finally {
            lock.unlock();
        }
    }
}
