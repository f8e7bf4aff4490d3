package dev.baton.duty.mempool.local;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Assumed;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.EventBatch;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.InvalidRequestException;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.Page;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Requests;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Subscription;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.duty.mempool.WatcherTerm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pool for one process: in memory, or also in a file. */
public final class LocalMempool implements Mempool {

    private final MempoolLimits limits;
    private final InstantSource clock;
    private final Journal journal;
    private final PoolTables tables;
    private final PoolRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition happened = lock.newCondition();
    private @Nullable String broken;

    private LocalMempool(MempoolLimits limits, InstantSource clock, Journal journal, PoolTables tables) {
        this.limits = limits;
        this.clock = clock;
        this.journal = journal;
        this.tables = tables;
        this.rules = new PoolRules(tables, limits);
    }

    public static LocalMempool inMemory(MempoolLimits limits, InstantSource clock) {
        return new LocalMempool(limits, clock, Journal.NONE, new PoolTables(Journal.NONE));
    }

    /** Opens the pool that the file keeps, or a new one. Every step is on the disk before it is answered. */
    public static LocalMempool open(Path file, MempoolLimits limits, InstantSource clock) {
        MvStoreJournal journal = MvStoreJournal.open(file);
        try {
            PoolTables tables = new PoolTables(journal);
            journal.restore(tables);
            return new LocalMempool(limits, clock, journal, tables);
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Runs one step alone, and makes it last. */
    private <T> T step(Supplier<T> step) {
        lock.lock();
        try {
            if (broken != null) {
                throw new UnavailableException(broken, false, null);
            }
            long before = tables.counters().sequence();
            T answer = step.get();
            commit();
            if (tables.counters().sequence() != before) {
                happened.signalAll();
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /** What memory has and the disk has not must not be built upon: a pool that could not write answers no more. */
    private void commit() {
        try {
            journal.commit();
        } catch (RuntimeException e) {
            broken = "the pool's file could not be written: " + e.getMessage() + "; open the pool again";
            happened.signalAll();
            throw new UnavailableException(broken, true, e);
        }
    }

    @Override
    public Received receive(Transaction transaction) {
        Requests.check(transaction, limits);
        return step(() -> rules.receive(transaction, clock.millis()));
    }

    @Override
    public boolean hasPending() {
        return step(() -> {
            rules.returnClaims(clock.millis());
            return !tables.pending().isEmpty();
        });
    }

    @Override
    public Page<PendingTransaction> peekPending(long after, int limit) {
        Requests.check(after, limit);
        return step(() -> {
            rules.returnClaims(clock.millis());
            return page(tables.pending(), after, limit, LiveTransaction::asPending);
        });
    }

    private static <S, T> Page<T> page(NavigableMap<Long, S> from, long after, int limit, Function<S, T> view) {
        List<T> items = new ArrayList<>();
        long next = after;
        for (var entry : from.tailMap(after, false).entrySet()) {
            if (items.size() == limit) {
                return new Page<>(items, next, true);
            }
            items.add(view.apply(entry.getValue()));
            next = entry.getKey();
        }
        return new Page<>(items, next, false);
    }

    @Override
    public List<Hash> markInflight(String owner, Duration lease, List<Hash> hashes) {
        Requests.check(owner, lease, hashes);
        return step(() -> {
            long now = clock.millis();
            rules.returnClaims(now);
            return rules.claim(owner, now + lease.toMillis(), hashes);
        });
    }

    @Override
    public List<Hash> markAcknowledged(List<Hash> hashes) {
        Requests.check(hashes);
        return step(() -> rules.acknowledge(hashes));
    }

    @Override
    public Optional<InflightTransaction> findInflight(Hash hash) {
        return step(() ->
                tables.find(hash).filter(found -> found.stage().isInflight()).map(this::inflight));
    }

    private InflightTransaction inflight(LiveTransaction transaction) {
        return transaction.asInflight(
                tables.counters().height(), tables.counters().arrived());
    }

    @Override
    public Page<InflightTransaction> peekInflight(long after, int limit) {
        Requests.check(after, limit);
        return step(() -> page(tables.inflight(), after, limit, this::inflight));
    }

    @Override
    public Confirmation begin(WatcherTerm term, ChainBlock block) {
        return step(() -> rules.refuse(term).orElseGet(() -> rules.begin(block, clock.millis())));
    }

    @Override
    public Confirmation beginRollback(WatcherTerm term, Point last) {
        return step(() -> rules.refuse(term).orElseGet(() -> rules.beginRollback(last)));
    }

    @Override
    public Confirmation advance(WatcherTerm term) {
        return step(() -> rules.refuse(term).orElseGet(rules::advance));
    }

    @Override
    public Assumed assume(WatcherTerm term) {
        return step(() -> switch (rules.refuse(term).orElse(null)) {
            case Confirmation.Fenced(WatcherTerm shown, WatcherTerm stored) -> new Assumed.Fenced(shown, stored);
            case Confirmation.OtherSeat(WatcherTerm shown, WatcherTerm stored) -> new Assumed.OtherSeat(shown, stored);
            case null, default ->
                new Assumed.Watching(tables.cursor(), tables.work().map(Work::point));
        });
    }

    @Override
    public Status checkStatus(Hash hash) {
        return step(() -> {
            Optional<LiveTransaction> live = tables.find(hash);
            if (live.isPresent()) {
                LiveTransaction found = live.get();
                return new Status(
                        hash,
                        found.stage(),
                        found.confirmations(tables.counters().height()),
                        found.nonConfirmations(tables.counters().arrived()),
                        found.confirmedAt());
            }
            return tables.findFinalized(hash)
                    .map(ended -> new Status(hash, ended.stage(), ended.confirmations(), 0, ended.confirmedAt()))
                    .orElse(Status.unknown(hash));
        });
    }

    @Override
    public Page<FinalizedTransaction> dumpFinalized(long after, int limit) {
        Requests.check(after, limit);
        return step(() -> page(tables.finalized(), after, limit, Function.identity()));
    }

    @Override
    public MempoolStats stats() {
        return step(() -> {
            Counters now = tables.counters();
            NavigableMap<Long, LiveTransaction> pending = tables.pending();
            return new MempoolStats(
                    pending.size(),
                    tables.inflight().size(),
                    tables.claimedCount(),
                    tables.confirmedCount(),
                    tables.finalized().size(),
                    pending.isEmpty()
                            ? Optional.empty()
                            : Optional.of(pending.firstEntry().getValue().receivedAtMillis()),
                    now.claimsReturned(),
                    now.fencedConfirms(),
                    now.sequence(),
                    tables.cursor(),
                    now.watcher());
        });
    }

    @Override
    public MempoolLimits limits() {
        return limits;
    }

    @Override
    public Subscription subscribe(long after) {
        if (after < 0 || after > Epoch.MAX_VALUE) {
            throw new InvalidRequestException("after", Long.toString(after), "0, or the id of an event");
        }
        return new Reader(after);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            broken = "the pool is closed";
            happened.signalAll();
            journal.close();
        } finally {
            lock.unlock();
        }
    }

    private final class Reader implements Subscription {

        private static final int MOST = 500;

        private long position;

        Reader(long after) {
            this.position = after;
        }

        @Override
        public EventBatch poll(Duration patience) throws InterruptedException {
            long left = patience.toNanos();
            lock.lockInterruptibly();
            try {
                while (broken == null && tables.counters().sequence() <= position && left > 0) {
                    left = happened.awaitNanos(left);
                }
                if (broken != null) {
                    throw new UnavailableException(broken, false, null);
                }
                return next();
            } finally {
                lock.unlock();
            }
        }

        private EventBatch next() {
            NavigableMap<Long, Event> events = tables.events();
            if (!events.isEmpty() && events.firstKey() > position + 1) {
                return new EventBatch.FellBehind(position + 1, events.firstKey());
            }
            List<Event> found = events.tailMap(position, false).values().stream()
                    .limit(MOST)
                    .toList();
            if (!found.isEmpty()) {
                position = found.getLast().id();
            }
            return new EventBatch.Next(found);
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void seek(long after) {
            position = after;
        }

        @Override
        public void close() {}
    }
}
