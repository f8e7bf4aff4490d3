package dev.baton.duty.remote.peer;

import com.google.protobuf.ByteString;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Lease;
import dev.baton.duty.remote.PeerTime;
import dev.baton.duty.remote.admin.LeaseTokens;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.HealthResponse;
import dev.baton.wire.admin.v1.LeadershipTerm;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StartSequencerResponse;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.admin.v1.StopSequencerResponse;
import dev.baton.wire.admin.v1.UnsafeHead;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The calls of the Admin Control API that concern a sequencer. A handoff concerns the nodes beside it: those calls are
 * not served.
 */
final class AdminEndpoint extends ControlServiceGrpc.ControlServiceImplBase {

    private final PeerStore store;
    private final Production production;
    private final Following following;
    private final LeaseTokens tokens;
    private final String version;

    AdminEndpoint(PeerStore store, Production production, Following following, LeaseTokens tokens, String version) {
        this.store = store;
        this.production = production;
        this.following = following;
        this.tokens = tokens;
        this.version = version;
    }

    @Override
    public void startSequencer(StartSequencerRequest request, StreamObserver<StartSequencerResponse> answer) {
        withLease(
                request.getLeaseToken(),
                answer,
                lease -> production.start(lease, request.getFromUnsafeHead()),
                lease -> StartSequencerResponse.newBuilder()
                        .setActivated(true)
                        .setTerm(LeadershipTerm.newBuilder()
                                .setTerm(lease.epoch().value())
                                .setLeaderId(lease.holder().value()))
                        .setUnsafe(unsafe())
                        .build());
    }

    @Override
    public void stopSequencer(StopSequencerRequest request, StreamObserver<StopSequencerResponse> answer) {
        withLease(
                request.getLeaseToken(),
                answer,
                production::stop,
                lease -> StopSequencerResponse.newBuilder().setStopped(true).build());
    }

    private <T> void withLease(
            ByteString token,
            StreamObserver<T> answer,
            Function<Lease, Production.Outcome> deed,
            Function<Lease, T> done) {
        switch (tokens.read(token)) {
            case LeaseTokens.Read.Bad(String why) -> refuse(answer, why);
            case LeaseTokens.Read.Good(Lease lease) -> {
                switch (deed.apply(lease)) {
                    case Production.Outcome.Refused(String why) -> refuse(answer, why);
                    case Production.Outcome.Done() -> {
                        answer.onNext(done.apply(lease));
                        answer.onCompleted();
                    }
                }
            }
        }
    }

    private static void refuse(StreamObserver<?> answer, String why) {
        answer.onError(Status.FAILED_PRECONDITION.withDescription(why).asException());
    }

    private UnsafeHead unsafe() {
        BlockRef head = store.head();
        return UnsafeHead.newBuilder()
                .setL2Number(head.number())
                .setL2Hash(ByteString.copyFrom(head.hash().asBuffer()))
                .setTimestamp(store.block(head.number())
                        .map(block -> TimeUnit.MILLISECONDS.toSeconds(block.madeAtMillis()))
                        .orElse(0L))
                .build();
    }

    @Override
    public void health(HealthRequest request, StreamObserver<HealthResponse> answer) {
        BlockRef head = store.head();
        HealthResponse.Builder health = HealthResponse.newBuilder()
                .setHealthy(following.problem().isEmpty())
                .setL2Number(head.number())
                .setL2Hash(ByteString.copyFrom(head.hash().asBuffer()))
                .setPeerCount(following.reached())
                .setSafeNumber(production.safeNumber())
                .setLastErr(following.problem());
        store.block(request.getAncestorNumber())
                .ifPresent(block ->
                        health.setAncestorHash(ByteString.copyFrom(block.hash().asBuffer())));
        answer.onNext(health.build());
        answer.onCompleted();
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
        PeerTime clock = production.clock();
        answer.onNext(StatusResponse.newBuilder()
                .setSequencerActive(production.isActive())
                .setBuildVersion(version)
                .setLastErr(production.lastStop())
                .setTerm(LeadershipTerm.newBuilder().setTerm(production.epoch().value()))
                .setUnsafe(unsafe())
                .setIncarnation(clock.incarnation())
                .setClockMillis(clock.millis())
                .build());
        answer.onCompleted();
    }
}
