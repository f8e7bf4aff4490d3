package dev.baton.duty.mempool.watch;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Assumed;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.Page;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Subscription;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A pool whose watcher can be frozen just before any of its steps, and wakes later with the step still to do. */
final class FreezablePool implements Mempool {

    private final Mempool pool;
    private final AtomicInteger fenced = new AtomicInteger();
    private volatile boolean frozen;

    FreezablePool(Mempool pool) {
        this.pool = pool;
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
    }

    /** How many of this watcher's steps the pool refused. */
    int fenced() {
        return fenced.get();
    }

    /** As a stopped process does, it hears of no interruption. */
    private Confirmation step(java.util.function.Supplier<Confirmation> step) {
        while (frozen) {
            LockSupport.parkNanos(1_000_000);
        }
        Confirmation answer = step.get();
        if (answer instanceof Confirmation.Fenced) {
            fenced.incrementAndGet();
        }
        return answer;
    }

    @Override
    public Confirmation begin(WatcherTerm term, ChainBlock block) {
        return step(() -> pool.begin(term, block));
    }

    @Override
    public Confirmation beginRollback(WatcherTerm term, Point last) {
        return step(() -> pool.beginRollback(term, last));
    }

    @Override
    public Confirmation advance(WatcherTerm term) {
        return step(() -> pool.advance(term));
    }

    @Override
    public Assumed assume(WatcherTerm term) {
        return pool.assume(term);
    }

    @Override
    public Received receive(Transaction transaction) {
        return pool.receive(transaction);
    }

    @Override
    public boolean hasPending() {
        return pool.hasPending();
    }

    @Override
    public Page<PendingTransaction> peekPending(long after, int limit) {
        return pool.peekPending(after, limit);
    }

    @Override
    public List<Hash> markInflight(String owner, Duration lease, List<Hash> hashes) {
        return pool.markInflight(owner, lease, hashes);
    }

    @Override
    public List<Hash> markAcknowledged(List<Hash> hashes) {
        return pool.markAcknowledged(hashes);
    }

    @Override
    public Optional<InflightTransaction> findInflight(Hash hash) {
        return pool.findInflight(hash);
    }

    @Override
    public Page<InflightTransaction> peekInflight(long after, int limit) {
        return pool.peekInflight(after, limit);
    }

    @Override
    public Status checkStatus(Hash hash) {
        return pool.checkStatus(hash);
    }

    @Override
    public Page<FinalizedTransaction> dumpFinalized(long after, int limit) {
        return pool.dumpFinalized(after, limit);
    }

    @Override
    public Subscription subscribe(long after) {
        return pool.subscribe(after);
    }

    @Override
    public MempoolStats stats() {
        return pool.stats();
    }

    @Override
    public MempoolLimits limits() {
        return pool.limits();
    }

    @Override
    public void close() {
        pool.close();
    }
}
