package dev.baton.authority.etcd.seat;

import dev.baton.authority.etcd.wire.Bound;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.authority.etcd.wire.Reply;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What one seat asks of etcd. */
record SeatLine(SeatKeys keys, Transactions transactions, Members members, long leaseSeconds) {

    Bound bound() {
        return members.bound();
    }

    CompletableFuture<Reply<TxnResponse>> commit(TxnRequest transaction, Bound by) {
        return members.ask(KVGrpc.getTxnMethod(), transaction, by);
    }

    CompletableFuture<Reply<RangeResponse>> look(Bound by) {
        return members.ask(KVGrpc.getRangeMethod(), transactions.picture(), by);
    }

    /** If the answer is lost, etcd may keep a lease that nobody uses; it runs out by itself. */
    CompletableFuture<Reply<LeaseGrantResponse>> grant(Bound by) {
        return members.ask(
                LeaseGrpc.getLeaseGrantMethod(),
                LeaseGrantRequest.newBuilder().setTTL(leaseSeconds).build(),
                by);
    }

    /** One renewal, over a stream of its own that ends with the answer: there is no other heartbeat. */
    CompletableFuture<Reply<LeaseKeepAliveResponse>> renew(long leaseId, Bound by) {
        return members.ask(
                LeaseGrpc.getLeaseKeepAliveMethod(),
                LeaseKeepAliveRequest.newBuilder().setID(leaseId).build(),
                by);
    }

    /** What is left of a lease. Asking renews nothing. */
    CompletableFuture<Reply<LeaseTimeToLiveResponse>> left(long leaseId, Bound by) {
        return members.ask(
                LeaseGrpc.getLeaseTimeToLiveMethod(),
                LeaseTimeToLiveRequest.newBuilder().setID(leaseId).build(),
                by);
    }

    /** Nobody waits for it: a lease without a key does no harm. */
    void revoke(long leaseId) {
        var unused = members.ask(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(leaseId).build(),
                bound());
    }

    SeatState state(RangeResponse picture) {
        return SeatState.of(keys, picture.getKvsList());
    }

    /** The picture that a transaction's branch has read as its so-and-so-manieth step. */
    SeatState state(TxnResponse answer, int step) {
        List<ResponseOp> steps = answer.getResponsesList();
        return state(steps.get(step).getResponseRange());
    }
}
