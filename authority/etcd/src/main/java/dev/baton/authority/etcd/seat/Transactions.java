package dev.baton.authority.etcd.seat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.baton.authority.Candidate;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Term;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;

/**
 * The transactions that change a seat. Each compares first and changes only then, so a copy that arrives late or twice
 * changes nothing; and each answers with the picture at that very moment.
 */
record Transactions(SeatKeys keys) {

    /** The picture of the seat: linearizable, so it holds everything that was acknowledged before it was asked for. */
    RangeRequest picture() {
        return RangeRequest.newBuilder()
                .setKey(keys.nowBegin())
                .setRangeEnd(keys.nowEnd())
                .build();
    }

    /**
     * INV-1: gives the seat to the candidate if it is still as it was seen. The revision of this very transaction
     * becomes the epoch, so it is higher than all before.
     */
    TxnRequest promote(SeatState seen, Candidate candidate, Ending predecessorEnded, long leaseId) {
        long lastRevision = seen.highestEpoch().value();
        return TxnRequest.newBuilder()
                .addCompare(modRevision(keys.seat(), seen.leaseId().isPresent() ? lastRevision : 0))
                .addCompare(modRevision(keys.term(), lastRevision))
                .addSuccess(put(keys.seat(), Records.holder(candidate.holder()), leaseId))
                .addSuccess(put(keys.term(), Records.term(candidate, predecessorEnded), 0))
                .addSuccess(range())
                .addFailure(range())
                .build();
    }

    /** INV-9: as {@link #promote}, and only while the ledger ends where the ticket says. */
    TxnRequest promoteAtHead(SeatState seen, Candidate candidate, Ending predecessorEnded, long leaseId) {
        return promote(seen, candidate, predecessorEnded, leaseId).toBuilder()
                .addCompare(endsAt(seen.head()))
                .build();
    }

    /** INV-3, INV-4: the entry stands at its height if the term holds the seat and the ledger ends at its parent. */
    TxnRequest append(Term term, Entry entry) {
        Head parent = new Head(new Height(entry.height().value() - 1), entry.parent());
        return TxnRequest.newBuilder()
                .addAllCompare(holds(term))
                .addCompare(endsAt(parent))
                .addSuccess(get(keys.seat()))
                .addSuccess(put(
                        keys.entry(entry.height()),
                        UnsafeByteOperations.unsafeWrap(EntryCodec.encode(entry).asBuffer()),
                        0))
                .addSuccess(put(keys.head(), Records.head(entry.asHead()), 0))
                .addFailure(range())
                .addFailure(get(keys.entry(entry.height())))
                .build();
    }

    /** The else-branch of {@link #append} alone. */
    TxnRequest whatStandsAt(Height height) {
        return TxnRequest.newBuilder()
                .addCompare(never())
                .addFailure(range())
                .addFailure(get(keys.entry(height)))
                .build();
    }

    /** A condition that is never met: nothing was written at a revision below zero. */
    private Compare never() {
        return modRevision(keys.term(), -1);
    }

    TxnRequest resign(Term term) {
        return TxnRequest.newBuilder()
                .addAllCompare(holds(term))
                .addSuccess(get(keys.seat()))
                .addSuccess(RequestOp.newBuilder()
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(keys.seat())))
                .addSuccess(put(keys.ended(), Records.ended(term.epoch(), Ending.RESIGNED), 0))
                .build();
    }

    TxnRequest trim(Term term, Height from, Height keepFrom) {
        Compare stillFrom =
                from.equals(Height.FIRST) ? modRevision(keys.oldest(), 0) : value(keys.oldest(), Records.height(from));
        return TxnRequest.newBuilder()
                .addAllCompare(holds(term))
                .addCompare(stillFrom)
                .addSuccess(RequestOp.newBuilder()
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder()
                                .setKey(keys.entry(Height.ZERO))
                                .setRangeEnd(keys.entry(keepFrom))))
                .addSuccess(put(keys.oldest(), Records.height(keepFrom), 0))
                .addSuccess(range())
                .addFailure(range())
                .build();
    }

    /** Some entries, and the picture of the same moment. */
    TxnRequest read(Height from, int count) {
        return TxnRequest.newBuilder()
                .addSuccess(range())
                .addSuccess(RequestOp.newBuilder()
                        .setRequestRange(RangeRequest.newBuilder()
                                .setKey(keys.entry(from))
                                .setRangeEnd(keys.entry(new Height(Long.MAX_VALUE)))
                                .setLimit(count)))
                .build();
    }

    /** The epoch names the promotion, the value its incarnation: somebody else's term with the same number holds nothing. */
    private List<Compare> holds(Term term) {
        return List.of(
                modRevision(keys.seat(), term.epoch().value()), value(keys.seat(), Records.holder(term.holder())));
    }

    private Compare endsAt(Head head) {
        return head.equals(Head.GENESIS) ? modRevision(keys.head(), 0) : value(keys.head(), Records.head(head));
    }

    /** A key that does not exist has the revision 0. */
    private static Compare modRevision(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(revision)
                .build();
    }

    private static Compare value(ByteString key, ByteString value) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.VALUE)
                .setResult(Compare.CompareResult.EQUAL)
                .setValue(value)
                .build();
    }

    private static RequestOp put(ByteString key, ByteString value, long leaseId) {
        return RequestOp.newBuilder()
                .setRequestPut(
                        PutRequest.newBuilder().setKey(key).setValue(value).setLease(leaseId))
                .build();
    }

    private static RequestOp get(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestRange(RangeRequest.newBuilder().setKey(key))
                .build();
    }

    private RequestOp range() {
        return RequestOp.newBuilder().setRequestRange(picture()).build();
    }
}
