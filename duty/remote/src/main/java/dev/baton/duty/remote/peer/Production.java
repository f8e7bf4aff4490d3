package dev.baton.duty.remote.peer;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.timing.Deadlines;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Lease;
import dev.baton.duty.remote.PeerTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes blocks while that is allowed. Thread-safe.
 *
 * <p>INV-25: under a lease with a time it stops by itself when that is over on its own clock. The time is checked at
 * each block, right before it is written: whoever freezes this process and wakes it later gets no further block.
 */
final class Production implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Production.class);

    /** What came of an order. */
    sealed interface Outcome {

        record Done() implements Outcome {}

        record Refused(String why) implements Outcome {}
    }

    private final PeerStore store;
    private final long intervalNanos;
    private final long incarnation = new SecureRandom().nextLong(1, Long.MAX_VALUE);
    private final long beganNanos = System.nanoTime();
    private final Thread thread;
    private volatile boolean active;
    private volatile boolean closed;
    private Optional<Fence> fence;
    private Epoch epoch = Epoch.NONE;
    private @Nullable Long untilMillis;
    private String lastStop = "not started yet";

    Production(PeerStore store, Duration interval) {
        this.store = store;
        this.intervalNanos = interval.toNanos();
        this.fence = store.fence().map(Fence::decode);
        this.thread = Thread.ofPlatform().daemon().name("production").unstarted(this::run);
        thread.start();
    }

    /** What the clock of this process shows. */
    PeerTime clock() {
        return new PeerTime(incarnation, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos));
    }

    boolean isActive() {
        return active;
    }

    synchronized Epoch epoch() {
        return epoch;
    }

    synchronized long safeNumber() {
        return fence.map(Fence::safeNumber).orElse(0L);
    }

    /** Why no blocks are made; empty while they are. */
    synchronized String lastStop() {
        return active ? "" : lastStop;
    }

    /** Works without any lease, as a sequencer does that nobody coordinates yet; once coordinated, never again so. */
    synchronized void startAlone() {
        if (fence.isPresent()) {
            LOG.info(
                    "waiting for a lease: this sequencer has worked under {}",
                    fence.get().seat());
        } else {
            activate("on its own");
        }
    }

    /** As an OP Stack node is started: on top of exactly this head, and without a lease. */
    synchronized Outcome startAt(Hash head) {
        if (active) {
            return new Outcome.Refused("sequencer already running");
        }
        BlockRef own = store.head();
        if (!own.hash().equals(head)) {
            return new Outcome.Refused(
                    "block hash does not match: head 0x" + own.hash() + ":" + own.number() + ", received 0x" + head);
        }
        activate("at " + own);
        return new Outcome.Done();
    }

    /** As an OP Stack node is stopped: answers the head at which it did, or nothing if it did not work. */
    synchronized Optional<BlockRef> stopAtHead() {
        if (!active) {
            return Optional.empty();
        }
        halt("admin_stopSequencer");
        return Optional.of(store.head());
    }

    /**
     * Works under a lease; one that works already goes on.
     *
     * @param fromUnsafeHead if not, blocks above the recorded head are dropped first
     */
    synchronized Outcome start(Lease lease, boolean fromUnsafeHead) {
        Optional<String> objection = Fence.objection(fence, lease, true)
                .or(() -> timeObjection(lease))
                .or(() -> {
                    BlockRef recorded = lease.recorded();
                    return store.at(recorded.number()).filter(recorded::equals).isPresent()
                            ? Optional.empty()
                            : Optional.of("lease_token: the ledger's head is " + recorded
                                    + ", and this chain with head " + store.head() + " does not contain it");
                });
        if (objection.isPresent()) {
            return new Outcome.Refused(objection.get());
        }
        raise(lease, true);
        if (!fromUnsafeHead && lease.recorded().number() < store.head().number()) {
            store.truncate(lease.recorded().number());
        }
        boolean sameTerm = epoch.equals(lease.epoch()) && active;
        long time = lease.until().map(PeerTime::millis).orElse(Long.MAX_VALUE);
        untilMillis = sameTerm && untilMillis != null ? Math.max(untilMillis, time) : time;
        epoch = lease.epoch();
        if (!sameTerm) {
            activate("under term " + epoch + " of " + lease.holder());
        }
        return new Outcome.Done();
    }

    private Optional<String> timeObjection(Lease lease) {
        if (lease.until().isEmpty()) {
            return Optional.of("lease_token: without a time (expected: one for process " + incarnation + ")");
        }
        PeerTime until = lease.until().get();
        PeerTime now = clock();
        if (until.incarnation() != now.incarnation()) {
            return Optional.of("lease_token: for another process than this one, which has started since");
        }
        return until.millis() > now.millis()
                ? Optional.empty()
                : Optional.of("lease_token: over since " + (now.millis() - until.millis()) + " ms");
    }

    private void raise(Lease lease, boolean start) {
        Fence raised = Fence.raised(fence, lease, start);
        if (fence.isEmpty() || !fence.get().equals(raised)) {
            store.fence(raised.encode()); // on disk before anything is done under it
            fence = Optional.of(raised);
        }
    }

    private void activate(String how) {
        if (!active) {
            LOG.info("making blocks {} on top of {}", how, store.head());
        } else {
            LOG.info("making blocks {}, without a break", how);
        }
        active = true;
        LockSupport.unpark(thread);
    }

    synchronized Outcome stop(Lease lease) {
        Optional<String> objection = Fence.objection(fence, lease, false);
        if (objection.isPresent()) {
            return new Outcome.Refused(objection.get());
        }
        raise(lease, false);
        halt("told to stop in term " + lease.epoch() + " by " + lease.holder());
        return new Outcome.Done();
    }

    synchronized void halt(String why) {
        if (active) {
            active = false;
            lastStop = why;
            LOG.info("no more blocks after {}: {}", store.head(), why);
        }
    }

    /** Runs something that must not meet a block in the making, and only while none are made. */
    synchronized boolean whileIdle(Runnable change) {
        if (active) {
            return false;
        }
        change.run();
        return true;
    }

    private void run() {
        long dueNanos = System.nanoTime();
        while (!closed) {
            if (!active) {
                LockSupport.parkNanos(this, intervalNanos);
                dueNanos = System.nanoTime();
            } else if (System.nanoTime() - dueNanos < 0) {
                LockSupport.parkNanos(this, dueNanos - System.nanoTime());
            } else {
                makeBlock();
                dueNanos = Deadlines.later(dueNanos + intervalNanos, System.nanoTime() - intervalNanos);
            }
        }
    }

    private synchronized void makeBlock() {
        if (!active || closed) {
            return;
        }
        if (untilMillis != null && clock().millis() >= untilMillis) {
            halt("the lease of term " + epoch + " ran out");
            return;
        }
        BlockRef head = store.head();
        store.append(List.of(new PeerBlock(head.number() + 1, head.hash(), epoch.value(), System.currentTimeMillis())));
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
