package dev.baton.duty.mempool.local;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a pool keeps, and the orders in which it finds it. It knows no rules. Used by one thread at a time. */
final class PoolTables {

    private final Journal journal;
    private final Map<Hash, LiveTransaction> live = new HashMap<>();
    private final NavigableMap<Long, LiveTransaction> pending = new TreeMap<>();
    private final NavigableMap<Long, LiveTransaction> inflight = new TreeMap<>();
    private final NavigableSet<LiveTransaction> waiting = new TreeSet<>(LiveTransaction.BY_BASE);
    private final NavigableSet<LiveTransaction> confirmed = new TreeSet<>(LiveTransaction.BY_BASE);
    private final NavigableSet<LiveTransaction> claims = new TreeSet<>(LiveTransaction.BY_LEASE);
    private final Map<Bytes, Hash> conflicts = new HashMap<>();
    private final NavigableMap<Long, FinalizedTransaction> finalized = new TreeMap<>();
    private final Map<Hash, FinalizedTransaction> finalizedByHash = new HashMap<>();
    private final NavigableMap<Long, Event> events = new TreeMap<>();
    private final NavigableMap<Long, Point> points = new TreeMap<>();
    private Counters counters = Counters.ZERO;
    private @Nullable Work work;

    PoolTables(Journal journal) {
        this.journal = journal;
    }

    Counters counters() {
        return counters;
    }

    void set(Counters next) {
        counters = next;
        journal.counters(next);
    }

    Optional<Work> work() {
        return Optional.ofNullable(work);
    }

    void set(@Nullable Work next) {
        work = next;
        journal.work(next);
    }

    Optional<LiveTransaction> find(Hash hash) {
        return Optional.ofNullable(live.get(hash));
    }

    Optional<Hash> holderOf(Bytes conflictKey) {
        return Optional.ofNullable(conflicts.get(conflictKey));
    }

    void put(LiveTransaction next) {
        LiveTransaction before = live.put(next.hash(), next);
        if (before == null) {
            next.conflictKeys().forEach(key -> conflicts.put(key, next.hash()));
        } else {
            unlist(before);
        }
        list(next);
        journal.live(next);
    }

    void remove(LiveTransaction gone) {
        live.remove(gone.hash());
        unlist(gone);
        gone.conflictKeys().forEach(conflicts::remove);
        journal.gone(gone.hash());
    }

    private void list(LiveTransaction transaction) {
        if (transaction.stage() == Stage.PENDING) {
            pending.put(transaction.arrival(), transaction);
            return;
        }
        inflight.put(transaction.arrival(), transaction);
        if (transaction.stage() == Stage.CONFIRMED) {
            confirmed.add(transaction);
        } else {
            waiting.add(transaction);
        }
        if (transaction.stage() == Stage.PROPAGATED) {
            claims.add(transaction);
        }
    }

    private void unlist(LiveTransaction transaction) {
        pending.remove(transaction.arrival());
        inflight.remove(transaction.arrival());
        waiting.remove(transaction);
        confirmed.remove(transaction);
        claims.remove(transaction);
    }

    NavigableMap<Long, LiveTransaction> pending() {
        return pending;
    }

    NavigableMap<Long, LiveTransaction> inflight() {
        return inflight;
    }

    int claimedCount() {
        return claims.size();
    }

    int confirmedCount() {
        return confirmed.size();
    }

    List<LiveTransaction> lapsedClaims(long nowMillis, int most) {
        return first(claims, claim -> claim.leaseEndsMillis() <= nowMillis, most);
    }

    List<LiveTransaction> confirmedUpTo(long height, int most) {
        return first(confirmed, transaction -> transaction.base() <= height, most);
    }

    /** Nothing is confirmed above this height. */
    List<LiveTransaction> confirmedAt(long height, int most) {
        return first(
                confirmed.stream()
                        .filter(transaction -> transaction.base() == height)
                        .toList(),
                each -> true,
                most);
    }

    List<LiveTransaction> waitingSince(long arrived, int most) {
        return first(waiting, transaction -> transaction.base() <= arrived, most);
    }

    private static List<LiveTransaction> first(
            Iterable<LiveTransaction> from, java.util.function.Predicate<LiveTransaction> due, int most) {
        List<LiveTransaction> found = new ArrayList<>();
        for (LiveTransaction transaction : from) {
            if (found.size() == most || !due.test(transaction)) {
                break;
            }
            found.add(transaction);
        }
        return found;
    }

    Optional<FinalizedTransaction> findFinalized(Hash hash) {
        return Optional.ofNullable(finalizedByHash.get(hash));
    }

    NavigableMap<Long, FinalizedTransaction> finalized() {
        return finalized;
    }

    void end(FinalizedTransaction ended, int keep) {
        restore(ended);
        journal.ended(ended);
        while (finalized.size() > keep) {
            FinalizedTransaction oldest = finalized.pollFirstEntry().getValue();
            finalizedByHash.remove(oldest.hash());
            journal.forgotten(oldest.number());
        }
    }

    /** A hash is listed once, where it ended last. */
    void restore(FinalizedTransaction ended) {
        FinalizedTransaction before = finalizedByHash.put(ended.hash(), ended);
        if (before != null) {
            finalized.remove(before.number());
            journal.forgotten(before.number());
        }
        finalized.put(ended.number(), ended);
    }

    NavigableMap<Long, Event> events() {
        return events;
    }

    /** Numbers a change and tells it. */
    long happened(Hash hash, Stage stage, int keep) {
        set(counters.numbered());
        Event event = new Event(counters.sequence(), hash, stage);
        events.put(event.id(), event);
        journal.happened(event);
        while (events.size() > keep) {
            journal.eventForgotten(events.pollFirstEntry().getKey());
        }
        return event.id();
    }

    Point cursor() {
        return points.isEmpty() ? Point.ORIGIN : points.lastEntry().getValue();
    }

    NavigableMap<Long, Point> points() {
        return points;
    }

    void addPoint(Point point, int keep) {
        points.put(counters.height(), point);
        journal.block(counters.height(), point);
        while (points.size() > keep) {
            journal.blockForgotten(points.pollFirstEntry().getKey());
        }
    }

    void removeLastPoint() {
        journal.blockForgotten(points.pollLastEntry().getKey());
    }

    /** Takes over what a journal had, without telling it again. */
    void restore(Counters stored, @Nullable Work begun) {
        counters = stored;
        work = begun;
    }

    void restore(LiveTransaction stored) {
        live.put(stored.hash(), stored);
        stored.conflictKeys().forEach(key -> conflicts.put(key, stored.hash()));
        list(stored);
    }

    void restore(Event stored) {
        events.put(stored.id(), stored);
    }

    void restore(long height, Point point) {
        points.put(height, point);
    }
}
