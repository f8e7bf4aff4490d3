package dev.baton.node;

import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes whoever waits for this node to stand differently, so that a change is known at once and not at the next look. */
public final class StandingWatch implements SeatObserver {

    /**
     * Where this node stands.
     *
     * @param version grows with every change; comparable within one process only
     * @param serves whether it leads and goes on working: one that has promised the seat leads, but takes no more work
     * @param epoch of its own term, 0 if it has none
     */
    public record Stand(long version, String standing, boolean serves, long epoch) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Stand stand = new Stand(0, "FOLLOWER", false, 0);

    @Override
    public void stepped(Standing before, Input input, Step step) {
        Standing next = step.next();
        String name = next.name().name();
        long epoch = next instanceof Standing.Tenured tenured
                ? tenured.tenancy().term().epoch().value()
                : 0;
        lock.lock();
        try {
            if (!name.equals(stand.standing()) || epoch != stand.epoch()) {
                stand = new Stand(stand.version() + 1, name, next instanceof Standing.Leader, epoch);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Where it stands now if that is not what is known already; else waits for a change, or until the patience ends. */
    public Stand await(long knownVersion, Duration patience) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = patience.toNanos();
            while (stand.version() == knownVersion && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return stand;
        } finally {
            lock.unlock();
        }
    }
}
