package dev.baton.duty.mempool;

import dev.baton.core.Hash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A pool with something in front of every operation. */
public abstract class DecoratedMempool implements Mempool {

    private final Mempool pool;

    protected DecoratedMempool(Mempool pool) {
        this.pool = pool;
    }

    /** Runs one operation. */
    protected abstract <T> T around(String operation, Supplier<T> step);

    @Override
    public Received receive(Transaction transaction) {
        return around("receive", () -> pool.receive(transaction));
    }

    @Override
    public List<Received> receiveAll(List<Transaction> transactions) {
        return around("receive_all", () -> pool.receiveAll(transactions));
    }

    @Override
    public boolean hasPending() {
        return around("has_pending", pool::hasPending);
    }

    @Override
    public Page<PendingTransaction> peekPending(long after, int limit) {
        return around("peek_pending", () -> pool.peekPending(after, limit));
    }

    @Override
    public List<Hash> markInflight(String owner, Duration lease, List<Hash> hashes) {
        return around("mark_inflight", () -> pool.markInflight(owner, lease, hashes));
    }

    @Override
    public List<Hash> markAcknowledged(List<Hash> hashes) {
        return around("mark_acknowledged", () -> pool.markAcknowledged(hashes));
    }

    @Override
    public Optional<InflightTransaction> findInflight(Hash hash) {
        return around("find_inflight", () -> pool.findInflight(hash));
    }

    @Override
    public Page<InflightTransaction> peekInflight(long after, int limit) {
        return around("peek_inflight", () -> pool.peekInflight(after, limit));
    }

    @Override
    public Confirmation begin(WatcherTerm term, ChainBlock block) {
        return around("confirm_slice", () -> pool.begin(term, block));
    }

    @Override
    public Confirmation beginRollback(WatcherTerm term, Point last) {
        return around("confirm_slice", () -> pool.beginRollback(term, last));
    }

    @Override
    public Confirmation advance(WatcherTerm term) {
        return around("confirm_slice", () -> pool.advance(term));
    }

    @Override
    public Assumed assume(WatcherTerm term) {
        return around("assume", () -> pool.assume(term));
    }

    @Override
    public Status checkStatus(Hash hash) {
        return around("check_status", () -> pool.checkStatus(hash));
    }

    @Override
    public Page<FinalizedTransaction> dumpFinalized(long after, int limit) {
        return around("dump_finalized", () -> pool.dumpFinalized(after, limit));
    }

    @Override
    public Subscription subscribe(long after) {
        return pool.subscribe(after);
    }

    @Override
    public MempoolStats stats() {
        return around("stats", pool::stats);
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
