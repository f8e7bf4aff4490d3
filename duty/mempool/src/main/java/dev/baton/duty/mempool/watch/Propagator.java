package dev.baton.duty.mempool.watch;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings pending transactions to the chain: claims them, sends them out, and notes what was acknowledged.
 *
 * <p>Every node may run one; claims keep them apart. If this one crashes, or what it sends is not taken, the claims lapse
 * and somebody tries again.
 */
public final class Propagator implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Propagator.class);

    private static final int BATCH = 200;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(25);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);
    private static final Executor LATER = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

    /** Whoever takes transactions: a network, a sequencer. */
    @FunctionalInterface
    public interface Outlet {
        /** Sends one on its way; tells whether it was taken. Does not block, may be repeated. */
        CompletionStage<Boolean> send(Hash hash, Bytes payload);
    }

    private final Mempool pool;
    private final Outlet outlet;
    private final String owner;
    private final Duration lease;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private final List<Hash> acknowledged = new ArrayList<>();
    private int underWay;
    private volatile boolean stopped;

    private Propagator(Mempool pool, Outlet outlet, String owner, Duration lease) {
        this.pool = pool;
        this.outlet = outlet;
        this.owner = owner;
        this.lease = lease;
        this.thread =
                Thread.ofPlatform().daemon().name("mempool-propagator-" + owner).unstarted(this::run);
    }

    /** @param lease how long a claim may stay unacknowledged; longer than the outlet needs */
    public static Propagator start(Mempool pool, Outlet outlet, String owner, Duration lease) {
        Propagator propagator = new Propagator(pool, outlet, owner, lease);
        propagator.thread.start();
        return propagator;
    }

    private void run() {
        while (!stopped) {
            Duration pause = LOOK_AGAIN;
            try {
                noteAcknowledged();
                if (claimAndSend()) {
                    pause = Duration.ZERO;
                }
            } catch (UnavailableException e) {
                LOG.debug("the pool is away: {}", e.getMessage());
                pause = AFTER_FAILURE;
            } catch (RuntimeException e) {
                LOG.warn("propagation failed, and is tried again", e);
                pause = AFTER_FAILURE;
            }
            pause(pause);
        }
    }

    private void noteAcknowledged() {
        List<Hash> hashes;
        lock.lock();
        try {
            hashes = acknowledged.stream().limit(BATCH).toList();
        } finally {
            lock.unlock();
        }
        if (!hashes.isEmpty()) {
            pool.markAcknowledged(hashes);
            lock.lock();
            try {
                acknowledged.subList(0, hashes.size()).clear();
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean claimAndSend() {
        lock.lock();
        try {
            if (underWay >= 5 * BATCH) {
                return false; // whoever takes them is slow, and more claims would only lapse
            }
        } finally {
            lock.unlock();
        }
        Map<Hash, Bytes> payloads = new LinkedHashMap<>();
        for (PendingTransaction pending : pool.peekPending(0, BATCH).items()) {
            payloads.put(pending.hash(), pending.payload());
        }
        if (payloads.isEmpty()) {
            return false;
        }
        Set<Hash> mine = new HashSet<>(pool.markInflight(owner, lease, List.copyOf(payloads.keySet())));
        payloads.forEach((hash, payload) -> {
            if (mine.contains(hash)) {
                send(hash, payload);
            }
        });
        return !mine.isEmpty();
    }

    private void send(Hash hash, Bytes payload) {
        lock.lock();
        try {
            underWay++;
        } finally {
            lock.unlock();
        }
        send(hash, payload, System.nanoTime() + lease.toNanos() / 2);
    }

    /** What was not taken is sent again, until the claim is about to lapse and others may try. */
    private void send(Hash hash, Bytes payload, long giveUpNanos) {
        outlet.send(hash, payload).whenComplete((taken, failure) -> {
            boolean done = failure == null && Boolean.TRUE.equals(taken);
            if (!done && !stopped && System.nanoTime() - giveUpNanos < 0) {
                LATER.execute(() -> send(hash, payload, giveUpNanos));
            } else {
                ended(hash, done);
            }
        });
    }

    private void ended(Hash hash, boolean taken) {
        lock.lock();
        try {
            underWay--;
            if (taken) {
                acknowledged.add(hash);
                woken.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void pause(Duration time) {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!stopped && left > 0 && acknowledged.isEmpty()) {
                left = woken.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            stopped = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
