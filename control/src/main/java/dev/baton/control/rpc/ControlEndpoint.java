package dev.baton.control.rpc;

import com.google.protobuf.ByteString;
import dev.baton.control.ControlledNode;
import dev.baton.control.ControlledSeat;
import dev.baton.control.ControlledSeat.HeadFacts;
import dev.baton.control.access.Call;
import dev.baton.control.access.Caller;
import dev.baton.control.access.Doorkeeper;
import dev.baton.control.seal.LeaseTokens;
import dev.baton.control.state.BreakGlass;
import dev.baton.core.standing.Readiness;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.CompleteHandoffResponse;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.HealthResponse;
import dev.baton.wire.admin.v1.LeadershipTerm;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StartSequencerResponse;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.admin.v1.StopSequencerResponse;
import dev.baton.wire.admin.v1.UnsafeHead;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** The six published calls. Each runs on a thread that may block. */
final class ControlEndpoint extends ControlServiceGrpc.ControlServiceImplBase {

    private final ControlledNode node;
    private final Doorkeeper doorkeeper;
    private final LeaseTokens tokens;
    private final BreakGlass glass;
    private final Lifecycle lifecycle;
    private final Handing handing;
    private final Deeds deeds;

    ControlEndpoint(
            ControlledNode node,
            Doorkeeper doorkeeper,
            LeaseTokens tokens,
            BreakGlass glass,
            Lifecycle lifecycle,
            Handing handing,
            Deeds deeds) {
        this.node = node;
        this.doorkeeper = doorkeeper;
        this.tokens = tokens;
        this.glass = glass;
        this.lifecycle = lifecycle;
        this.handing = handing;
        this.deeds = deeds;
    }

    @Override
    public void startSequencer(StartSequencerRequest request, StreamObserver<StartSequencerResponse> answer) {
        deeds.run(
                new Deeds.Asked(
                        Call.START,
                        request,
                        request.getRequester(),
                        request.getReason(),
                        request.getIdempotencyKey(),
                        find(request.getSeat())),
                StartSequencerResponse.parser(),
                answer,
                (caller, begin) -> lifecycle.start(caller, seat(request.getSeat()), request, begin));
    }

    @Override
    public void stopSequencer(StopSequencerRequest request, StreamObserver<StopSequencerResponse> answer) {
        deeds.run(
                new Deeds.Asked(
                        request.getForce() ? Call.FORCE : Call.STOP,
                        request,
                        request.getRequester(),
                        request.getReason(),
                        request.getIdempotencyKey(),
                        find(request.getSeat())),
                StopSequencerResponse.parser(),
                answer,
                (caller, begin) -> {
                    if (request.getForce() && !doorkeeper.allows(caller, Call.FORCE)) {
                        throw refused(
                                Status.PERMISSION_DENIED,
                                caller.identity() + " has the role "
                                        + caller.role().word() + ", which does not include " + Call.FORCE.word());
                    }
                    return lifecycle.stop(caller, seat(request.getSeat()), request, begin);
                });
    }

    @Override
    public void prepareHandoff(PrepareHandoffRequest request, StreamObserver<PrepareHandoffResponse> answer) {
        deeds.run(
                new Deeds.Asked(
                        Call.PREPARE,
                        request,
                        request.getRequester(),
                        request.getReason(),
                        request.getIdempotencyKey(),
                        find(request.getSeat())),
                PrepareHandoffResponse.parser(),
                answer,
                (caller, begin) -> handing.prepare(caller, seat(request.getSeat()), request, begin));
    }

    @Override
    public void completeHandoff(CompleteHandoffRequest request, StreamObserver<CompleteHandoffResponse> answer) {
        deeds.run(
                new Deeds.Asked(
                        Call.COMPLETE, request, request.getRequester(), "", request.getIdempotencyKey(), find("")),
                CompleteHandoffResponse.parser(),
                answer,
                (caller, begin) -> handing.complete(request, begin));
    }

    @Override
    public void health(HealthRequest request, StreamObserver<HealthResponse> answer) {
        respond(answer, () -> {
            ControlledSeat seat = seat(request.getSeat());
            SeatStatus status = seat.status();
            HeadFacts facts = seat.facts().get();
            return HealthResponse.newBuilder()
                    .setHealthy(status.leads() || status.readiness().isReady())
                    .setL2Number(status.head().height().value())
                    .setL2Hash(ByteString.copyFrom(status.head().hash().asBuffer()))
                    .setL1Origin(facts.origin())
                    .setPeerCount(node.peerCount())
                    .setDaHeight(facts.layerHeight())
                    .setLastErr(lastError(status))
                    .setSafeNumber(facts.safeHeight())
                    .build();
        });
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
        respond(answer, () -> {
            ControlledSeat seat = seat(request.getSeat());
            SeatStatus status = seat.status();
            StatusResponse.Builder response = StatusResponse.newBuilder()
                    .setSequencerActive(status.leads())
                    .setBuildVersion(node.version())
                    .setLeaderHint(status.currentHolder()
                            .map(by -> by.term().node() + " at " + by.address())
                            .orElse("nobody"))
                    .setLastErr(lastError(status))
                    .setTerm(term(status))
                    .setNode(node.self().value())
                    .setSeat(status.seat().seat().value())
                    .setStanding(status.standing().name().name())
                    .setUnsafe(unsafe(seat))
                    .setStopped(lifecycle.stopped(seat));
            glass.now()
                    .ifPresent(broken ->
                            response.setBreakGlass(broken.toString()).setBreakGlassUntilMillis(broken.untilMillis()));
            if (maySteer(CallGate.CALLER.get())) {
                response.setLeaseToken(tokens.issue(status.seat(), ControlledSeat.newestEpoch(status)));
            }
            return response.build();
        });
    }

    private boolean maySteer(Caller caller) {
        return doorkeeper.allows(caller, Call.START)
                || doorkeeper.allows(caller, Call.STOP)
                || doorkeeper.allows(caller, Call.PREPARE);
    }

    private static String lastError(SeatStatus status) {
        return status.readiness() instanceof Readiness.NotReady(String why) ? why : status.lastProblem();
    }

    static LeadershipTerm term(SeatStatus status) {
        LeadershipTerm.Builder term = LeadershipTerm.newBuilder()
                .setTerm(ControlledSeat.newestEpoch(status).value());
        status.currentHolder().ifPresent(by -> term.setLeaderId(by.term().node().value()));
        return term.build();
    }

    static UnsafeHead unsafe(ControlledSeat seat) {
        SeatStatus status = seat.status();
        HeadFacts facts = seat.facts().get();
        return UnsafeHead.newBuilder()
                .setL2Number(status.head().height().value())
                .setL2Hash(ByteString.copyFrom(status.head().hash().asBuffer()))
                .setL1Origin(facts.origin())
                .setTimestamp(facts.timeMillis() / 1000)
                .build();
    }

    private Optional<ControlledSeat> find(String name) {
        return node.seat(name.isEmpty() ? Optional.empty() : Optional.of(name));
    }

    private ControlledSeat seat(String name) throws StatusException {
        return find(name)
                .orElseThrow(() -> refused(
                        Status.NOT_FOUND, "seat: \"" + name + "\" (expected: a seat that " + node.self() + " serves)"));
    }

    static StatusException refused(Status status, String why) {
        return status.withDescription(why).asException();
    }

    @FunctionalInterface
    private interface Question<A> {
        A answer() throws StatusException;
    }

    private static <A> void respond(StreamObserver<A> observer, Question<A> question) {
        try {
            observer.onNext(question.answer());
            observer.onCompleted();
        } catch (StatusException e) {
            observer.onError(e);
        }
    }
}
