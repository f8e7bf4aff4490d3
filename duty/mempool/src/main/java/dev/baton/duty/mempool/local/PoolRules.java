package dev.baton.duty.mempool.local;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a pool does, step by step. The scripts for Redis do the same, and a test holds the two side by side.
 *
 * <p>Confirmations are not counted one by one. A transaction that was confirmed at height h has {@code height - h + 1} of
 * them, and one that was claimed after n blocks has seen {@code arrived - n} without it; so a block costs what it
 * changes, however many are in flight.
 */
final class PoolRules {

    private final PoolTables tables;
    private final MempoolLimits limits;

    PoolRules(PoolTables tables, MempoolLimits limits) {
        this.tables = tables;
        this.limits = limits;
    }

    private long happened(Hash hash, Stage stage) {
        return tables.happened(hash, stage, limits.maxEvents());
    }

    Received receive(Transaction transaction, long nowMillis) {
        Hash hash = transaction.hash();
        Optional<LiveTransaction> known = tables.find(hash);
        if (known.isPresent()) {
            return new Received.Duplicate(hash, known.get().stage());
        }
        if (tables.pending().size() >= limits.maxPending()) {
            return new Received.Full(hash, tables.pending().size(), limits.maxPending());
        }
        for (Bytes key : transaction.conflictKeys()) {
            Optional<Hash> holder = tables.holderOf(key);
            if (holder.isPresent()) {
                return new Received.Conflict(hash, key, holder.get());
            }
        }
        long arrival = happened(hash, Stage.PENDING);
        tables.put(LiveTransaction.received(transaction, arrival, nowMillis));
        return new Received.Accepted(hash, arrival);
    }

    /** INV-18: a lapsed claim goes back to where it was, and nobody has to notice who crashed. */
    void returnClaims(long nowMillis) {
        for (LiveTransaction lapsed : tables.lapsedClaims(nowMillis, limits.sliceSize())) {
            happened(lapsed.hash(), Stage.PENDING);
            tables.put(lapsed.pendingAt(lapsed.arrival()));
            tables.set(tables.counters().claimReturned());
        }
    }

    List<Hash> claim(String owner, long leaseEndsMillis, List<Hash> hashes) {
        List<Hash> moved = new ArrayList<>();
        for (Hash hash : hashes) {
            Optional<LiveTransaction> found = tables.find(hash).filter(each -> each.stage() == Stage.PENDING);
            if (found.isPresent()) {
                happened(hash, Stage.PROPAGATED);
                tables.put(found.get()
                        .claimed(owner, leaseEndsMillis, tables.counters().arrived()));
                moved.add(hash);
            }
        }
        return moved;
    }

    List<Hash> acknowledge(List<Hash> hashes) {
        List<Hash> moved = new ArrayList<>();
        for (Hash hash : hashes) {
            Optional<LiveTransaction> found = tables.find(hash).filter(each -> each.stage() == Stage.PROPAGATED);
            if (found.isPresent()) {
                happened(hash, Stage.ACKNOWLEDGED);
                tables.put(found.get().acknowledged());
                moved.add(hash);
            }
        }
        return moved;
    }

    /** INV-17: whoever shows a lower term than the highest that was here changes nothing. */
    Optional<Confirmation> refuse(WatcherTerm shown) {
        Optional<WatcherTerm> stored = tables.counters().watcher();
        if (stored.isPresent()) {
            if (!shown.isOfSameSeat(stored.get())) {
                return Optional.of(new Confirmation.OtherSeat(shown, stored.get()));
            }
            if (shown.isBelow(stored.get())) {
                tables.set(tables.counters().fencedOnce());
                return Optional.of(new Confirmation.Fenced(shown, stored.get()));
            }
        }
        if (!Optional.of(shown).equals(stored)) {
            tables.set(tables.counters().watchedBy(shown));
        }
        return Optional.empty();
    }

    /** INV-16: a block is begun only where the chain ends, and only once the one before it is finished. */
    Confirmation begin(ChainBlock block, long nowMillis) {
        Optional<Confirmation> going = goingOn(false, block.point());
        if (going.isPresent()) {
            return going.get();
        }
        Point cursor = tables.cursor();
        if (cursor.equals(block.point())) {
            return new Confirmation.AlreadyApplied(cursor);
        }
        if (!cursor.equals(block.parent())) {
            return new Confirmation.NotNext(cursor);
        }
        returnClaims(nowMillis);
        tables.set(tables.counters().blockBegun());
        tables.set(new Work(false, block.point(), block.seen(), block.unseen(), 0, 0));
        return advance();
    }

    Confirmation beginRollback(Point last) {
        Optional<Confirmation> going = goingOn(true, last);
        if (going.isPresent()) {
            return going.get();
        }
        Point cursor = tables.cursor();
        if (!cursor.equals(last)) {
            return new Confirmation.NotNext(cursor);
        }
        int known = tables.points().size();
        if (known == 0 || (known == 1 && tables.counters().height() > 1)) {
            return new Confirmation.TooDeep(cursor);
        }
        tables.set(new Work(true, last, List.of(), List.of(), 0, 0));
        return advance();
    }

    private Optional<Confirmation> goingOn(boolean undoes, Point point) {
        return tables.work()
                .map(work -> work.undoes() == undoes && work.point().equals(point)
                        ? advance()
                        : new Confirmation.Unfinished(work.point()));
    }

    Confirmation advance() {
        Optional<Work> begun = tables.work();
        if (begun.isEmpty()) {
            return new Confirmation.Applied(tables.cursor());
        }
        return begun.get().undoes() ? takeBack(begun.get()) : apply(begun.get());
    }

    private Confirmation apply(Work begun) {
        int budget = limits.sliceSize();
        int seen = Math.min(budget, begun.seen().size() - begun.seenDone());
        begun.seen().subList(begun.seenDone(), begun.seenDone() + seen).forEach(hash -> seen(hash, begun.point()));
        budget -= seen;
        int unseen = Math.min(budget, begun.unseen().size() - begun.unseenDone());
        begun.unseen().subList(begun.unseenDone(), begun.unseenDone() + unseen).forEach(this::unseen);
        budget -= unseen;
        tables.set(begun.advanced(seen, unseen));
        if (budget > 0) {
            long finalUpTo = tables.counters().height() - limits.finalizeAfter() + 1;
            List<LiveTransaction> due = tables.confirmedUpTo(finalUpTo, budget);
            due.forEach(transaction -> end(transaction, Stage.FINALIZED, begun.point()));
            budget -= due.size();
        }
        if (budget > 0) {
            long droppedUpTo = tables.counters().arrived() - limits.dropAfter();
            List<LiveTransaction> due = tables.waitingSince(droppedUpTo, budget);
            due.forEach(transaction -> end(transaction, Stage.DROPPED, begun.point()));
            budget -= due.size();
        }
        if (budget == 0) {
            return new Confirmation.Applying(begun.point());
        }
        tables.addPoint(begun.point(), limits.maxRollback() + 1);
        tables.set((Work) null);
        return new Confirmation.Applied(begun.point());
    }

    private void seen(Hash hash, Point at) {
        tables.find(hash).filter(found -> found.stage() != Stage.CONFIRMED).ifPresent(found -> {
            happened(hash, Stage.CONFIRMED);
            tables.put(found.confirmed(tables.counters().height(), at));
        });
    }

    private void unseen(Hash hash) {
        tables.find(hash).filter(found -> found.stage() != Stage.PENDING).ifPresent(this::toTail);
    }

    private void toTail(LiveTransaction transaction) {
        tables.put(transaction.pendingAt(happened(transaction.hash(), Stage.ROLLED_BACK)));
    }

    private void end(LiveTransaction transaction, Stage how, Point by) {
        long number = happened(transaction.hash(), how);
        tables.remove(transaction);
        tables.end(
                new FinalizedTransaction(
                        transaction.hash(),
                        number,
                        how,
                        transaction.confirmations(tables.counters().height()),
                        transaction.confirmedAt(),
                        by),
                limits.maxFinalized());
    }

    private Confirmation takeBack(Work begun) {
        int budget = limits.sliceSize();
        List<LiveTransaction> back = tables.confirmedAt(tables.counters().height(), budget);
        back.forEach(this::toTail);
        if (back.size() == budget) {
            return new Confirmation.Applying(begun.point());
        }
        tables.removeLastPoint();
        tables.set(tables.counters().blockTakenBack());
        tables.set((Work) null);
        return new Confirmation.Applied(tables.cursor());
    }
}
