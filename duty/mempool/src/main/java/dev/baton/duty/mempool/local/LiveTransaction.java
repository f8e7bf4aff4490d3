package dev.baton.duty.mempool.local;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A transaction that is pending or in flight.
 *
 * @param base what its blocks are counted from: the height at which it was confirmed, or the number of blocks that had
 *     arrived when it was claimed
 * @param leaseEndsMillis when an unacknowledged claim returns; zero without one
 */
record LiveTransaction(
        Hash hash,
        long arrival,
        Bytes payload,
        List<Bytes> conflictKeys,
        long receivedAtMillis,
        Stage stage,
        long base,
        String owner,
        long leaseEndsMillis,
        Optional<Point> confirmedAt) {

    static final Comparator<LiveTransaction> BY_BASE =
            Comparator.comparingLong(LiveTransaction::base).thenComparing(LiveTransaction::order);

    static final Comparator<LiveTransaction> BY_LEASE =
            Comparator.comparingLong(LiveTransaction::leaseEndsMillis).thenComparing(LiveTransaction::order);

    LiveTransaction {
        conflictKeys = List.copyOf(conflictKeys);
    }

    static LiveTransaction received(Transaction from, long arrival, long nowMillis) {
        return new LiveTransaction(
                from.hash(),
                arrival,
                from.payload(),
                from.conflictKeys(),
                nowMillis,
                Stage.PENDING,
                0,
                "",
                0,
                Optional.empty());
    }

    private String order() {
        return hash.toString();
    }

    LiveTransaction claimed(String by, long leaseEnds, long arrivedBlocks) {
        return with(arrival, Stage.PROPAGATED, arrivedBlocks, by, leaseEnds, Optional.empty());
    }

    LiveTransaction acknowledged() {
        return with(arrival, Stage.ACKNOWLEDGED, base, owner, 0, Optional.empty());
    }

    LiveTransaction confirmed(long height, Point at) {
        return with(arrival, Stage.CONFIRMED, height, owner, 0, Optional.of(at));
    }

    LiveTransaction pendingAt(long place) {
        return with(place, Stage.PENDING, 0, "", 0, Optional.empty());
    }

    private LiveTransaction with(long place, Stage next, long from, String by, long leaseEnds, Optional<Point> at) {
        return new LiveTransaction(hash, place, payload, conflictKeys, receivedAtMillis, next, from, by, leaseEnds, at);
    }

    PendingTransaction asPending() {
        return new PendingTransaction(hash, arrival, payload, receivedAtMillis);
    }

    InflightTransaction asInflight(long height, long arrivedBlocks) {
        return new InflightTransaction(
                hash,
                arrival,
                stage,
                payload,
                owner,
                confirmations(height),
                nonConfirmations(arrivedBlocks),
                confirmedAt);
    }

    long confirmations(long height) {
        return stage == Stage.CONFIRMED ? height - base + 1 : 0;
    }

    long nonConfirmations(long arrivedBlocks) {
        return stage == Stage.PROPAGATED || stage == Stage.ACKNOWLEDGED ? arrivedBlocks - base : 0;
    }
}
