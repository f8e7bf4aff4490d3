package dev.baton.duty.tokens;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where requests of one term wait until an entry takes them up. Thread-safe, without locks.
 *
 * <p>Whoever takes a waiter out of a queue owes it the answer. A request that comes in while the room is being closed is
 * therefore turned away either by whoever closes it or by whoever brought it, and never by both.
 */
final class WaitingRoom {

    private final int places;
    private final Runnable requestPulse;
    private final Consumer<Waiter> turnAway;
    private final Queue<Waiter.ForTokens> forTokens = new ConcurrentLinkedQueue<>();
    private final Queue<Waiter.ForChange> forChange = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean closed;

    /** Whoever waits until so many are there. */
    private volatile @Nullable Thread host;

    private volatile int expected = Integer.MAX_VALUE;

    /**
     * @param requestPulse asks for a draft; called once for all who come before that draft begins
     * @param turnAway answers those who are too late
     */
    WaitingRoom(int places, Runnable requestPulse, Consumer<Waiter> turnAway) {
        this.places = places;
        this.requestPulse = requestPulse;
        this.turnAway = turnAway;
    }

    int waiting() {
        return waiting.get();
    }

    /** Lets somebody wait, if there is a place. */
    boolean enter(Waiter waiter) {
        int here = waiting.incrementAndGet();
        if (here > places) {
            waiting.decrementAndGet();
            return false;
        }
        switch (waiter) {
            case Waiter.ForTokens tokens -> forTokens.add(tokens);
            case Waiter.ForChange change -> forChange.add(change);
        }
        if (closed) {
            turnAllAway();
        } else {
            wake();
            if (here == expected) {
                LockSupport.unpark(host);
            }
        }
        return true;
    }

    /**
     * Waits until so many are there, but no longer than that, and not if it is interrupted or the room closed.
     *
     * @return how many are there then
     */
    int await(int number, long nanos) {
        host = Thread.currentThread();
        expected = number; // before it is counted how many there are, or the last one might be missed
        long untilNanos = System.nanoTime() + nanos;
        for (long left = nanos;
                left > 0
                        && waiting.get() < number
                        && !closed
                        && !Thread.currentThread().isInterrupted();
                left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        expected = Integer.MAX_VALUE;
        host = null;
        return waiting.get();
    }

    void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            requestPulse.run();
        }
    }

    /** From here on a newcomer asks for the next draft, since this one may have looked already. */
    void draftBegins() {
        woken.set(false);
    }

    Waiter.@Nullable ForTokens nextForTokens() {
        return forTokens.poll();
    }

    Waiter.@Nullable ForChange nextForChange() {
        return forChange.poll();
    }

    boolean isEmpty() {
        return forTokens.isEmpty() && forChange.isEmpty();
    }

    /** So many of those who were taken out have been answered. */
    void answered(int number) {
        waiting.addAndGet(-number);
    }

    void close() {
        closed = true;
        LockSupport.unpark(host);
        turnAllAway();
    }

    private void turnAllAway() {
        for (Waiter next = forTokens.poll(); next != null; next = forTokens.poll()) {
            answered(1);
            turnAway.accept(next);
        }
        for (Waiter next = forChange.poll(); next != null; next = forChange.poll()) {
            answered(1);
            turnAway.accept(next);
        }
    }
}
