package dev.baton.duty.mempool.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.InvalidRequestException;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Transaction;
import dev.baton.wire.mempool.v1.Event;
import dev.baton.wire.mempool.v1.Point;
import dev.baton.wire.mempool.v1.Stage;
import dev.baton.wire.mempool.v1.StatsResponse;
import dev.baton.wire.mempool.v1.SubmitRequest;
import dev.baton.wire.mempool.v1.TransactionStatus;

/** Our words in the wire's, and the other way round. */
final class WireMempool {

    private WireMempool() {}

    static Transaction transaction(SubmitRequest request) {
        Bytes payload = bytes(request.getPayload());
        Hash hash = request.getHash().isEmpty() ? Hash.sha256(payload) : hash(request.getHash());
        return new Transaction(
                hash,
                payload,
                request.getConflictKeysList().stream().map(WireMempool::bytes).toList());
    }

    private static Bytes bytes(ByteString from) {
        return Bytes.wrap(from.toByteArray());
    }

    static Hash hash(ByteString from) {
        if (from.size() != Hash.SIZE) {
            throw new InvalidRequestException("hash", from.size() + " bytes", Integer.toString(Hash.SIZE));
        }
        return Hash.of(from.toByteArray());
    }

    static ByteString encode(Hash hash) {
        return UnsafeByteOperations.unsafeWrap(hash.asBuffer());
    }

    static Stage encode(dev.baton.duty.mempool.Stage stage) {
        return switch (stage) {
            case PENDING -> Stage.PENDING;
            case PROPAGATED -> Stage.PROPAGATED;
            case ACKNOWLEDGED -> Stage.ACKNOWLEDGED;
            case CONFIRMED -> Stage.CONFIRMED;
            case FINALIZED -> Stage.FINALIZED;
            case DROPPED -> Stage.DROPPED;
            case ROLLED_BACK -> Stage.ROLLED_BACK;
            case UNKNOWN -> Stage.UNKNOWN;
        };
    }

    private static Point encode(dev.baton.duty.mempool.Point point) {
        return Point.newBuilder()
                .setNumber(point.number())
                .setHash(encode(point.hash()))
                .build();
    }

    static TransactionStatus encode(Status status) {
        TransactionStatus.Builder wire = TransactionStatus.newBuilder()
                .setHash(encode(status.hash()))
                .setStage(encode(status.stage()))
                .setConfirmations(status.confirmations())
                .setNonConfirmations(status.nonConfirmations());
        status.confirmedAt().ifPresent(at -> wire.setConfirmedAt(encode(at)));
        return wire.build();
    }

    static TransactionStatus encode(PendingTransaction pending) {
        return TransactionStatus.newBuilder()
                .setHash(encode(pending.hash()))
                .setStage(Stage.PENDING)
                .setCursor(pending.arrival())
                .build();
    }

    static TransactionStatus encode(InflightTransaction inflight) {
        TransactionStatus.Builder wire = TransactionStatus.newBuilder()
                .setHash(encode(inflight.hash()))
                .setStage(encode(inflight.stage()))
                .setConfirmations(inflight.confirmations())
                .setNonConfirmations(inflight.nonConfirmations())
                .setCursor(inflight.arrival())
                .setOwner(inflight.owner());
        inflight.confirmedAt().ifPresent(at -> wire.setConfirmedAt(encode(at)));
        return wire.build();
    }

    static TransactionStatus encode(FinalizedTransaction ended) {
        TransactionStatus.Builder wire = TransactionStatus.newBuilder()
                .setHash(encode(ended.hash()))
                .setStage(encode(ended.stage()))
                .setConfirmations(ended.confirmations())
                .setCursor(ended.number());
        ended.confirmedAt().ifPresent(at -> wire.setConfirmedAt(encode(at)));
        return wire.build();
    }

    static Event encode(dev.baton.duty.mempool.Event event) {
        return Event.newBuilder()
                .setId(event.id())
                .setHash(encode(event.hash()))
                .setStage(encode(event.stage()))
                .build();
    }

    static StatsResponse encode(MempoolStats stats) {
        return StatsResponse.newBuilder()
                .setPending(stats.pending())
                .setInflight(stats.inflight())
                .setPropagated(stats.propagated())
                .setConfirmed(stats.confirmed())
                .setFinalized(stats.finalized())
                .setOldestPendingAtMillis(stats.oldestPendingAtMillis().orElse(0L))
                .setClaimsReturned(stats.claimsReturned())
                .setFencedConfirms(stats.fencedConfirms())
                .setLastEvent(stats.lastEvent())
                .setCursor(encode(stats.cursor()))
                .setWatcher(stats.watcher().map(Object::toString).orElse(""))
                .build();
    }
}
