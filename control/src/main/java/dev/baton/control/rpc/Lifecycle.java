package dev.baton.control.rpc;

import static dev.baton.control.rpc.ControlEndpoint.refused;

import com.google.protobuf.ByteString;
import dev.baton.control.ControlledSeat;
import dev.baton.control.access.Caller;
import dev.baton.control.access.Role;
import dev.baton.control.seal.LeaseTokens;
import dev.baton.control.state.BreakGlass;
import dev.baton.control.state.StopSwitch;
import dev.baton.core.NodeId;
import dev.baton.core.SeatName;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.seat.Handover;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StartSequencerResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.admin.v1.StopSequencerResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Starts and stops a node's part in a seat. Blocks. */
final class Lifecycle {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration QUIESCE = Duration.ofSeconds(3);
    private static final long BETWEEN_LOOKS_MILLIS = 5;

    /** A holder that stays still for nobody can only go on to stop: no such node is ever asked. */
    private static final NodeId NOBODY = new NodeId("nobody");

    private final LeaseTokens tokens;
    private final StopSwitch stops;
    private final BreakGlass glass;

    Lifecycle(LeaseTokens tokens, StopSwitch stops, BreakGlass glass) {
        this.tokens = tokens;
        this.stops = stops;
        this.glass = glass;
    }

    /** Who stopped this node and why; empty if nobody did. */
    String stopped(ControlledSeat seat) {
        return stops.of(name(seat)).map(Object::toString).orElse("");
    }

    private static SeatName name(ControlledSeat seat) {
        return seat.status().seat().seat();
    }

    StartSequencerResponse start(
            Caller caller, ControlledSeat seat, StartSequencerRequest request, Deeds.Beginning begin)
            throws StatusException, InterruptedException {
        checkToken(caller, seat, request.getLeaseToken());
        SeatStatus before = seat.status();
        if (before.leads()) {
            throw refused(
                    Status.ALREADY_EXISTS,
                    before.self() + " works already, in term " + ControlledSeat.newestEpoch(before));
        }
        if (seat.readiness().get() instanceof Readiness.NotReady(String why)) {
            throw refused(Status.UNAVAILABLE, before.self() + " is not ready: " + why);
        }
        if (!request.getFromUnsafeHead()) {
            requireSafeHead(seat);
        }
        begin.now();
        try {
            stops.start(name(seat));
        } catch (IOException e) {
            throw refused(Status.UNAVAILABLE, "the order to stop cannot be taken back: " + e);
        }
        seat.joined().resume();
        SeatStatus after = await(seat, status -> status.leads() || heldByAnother(status), PATIENCE);
        if (after.standing() instanceof Standing.Fenced fenced) {
            throw refused(Status.ABORTED, after.self() + " was fenced while it started: " + fenced.why());
        }
        if (!after.leads() && !heldByAnother(after)) {
            throw refused(
                    Status.UNAVAILABLE,
                    after.self() + " stands for the seat, but does not lead within " + PATIENCE + ": "
                            + after.explain());
        }
        return StartSequencerResponse.newBuilder()
                .setActivated(after.leads())
                .setTerm(ControlEndpoint.term(after))
                .setUnsafe(ControlEndpoint.unsafe(seat))
                .build();
    }

    private static boolean heldByAnother(SeatStatus status) {
        return status.standing().name() == Standing.Name.FOLLOWER
                && status.currentHolder()
                        .filter(by -> !by.term().node().equals(status.self()))
                        .isPresent();
    }

    /**
     * What is committed is never taken back (INV-3), so a start cannot go back to the safe head: it waits until the safe
     * head has come to what is committed.
     */
    private static void requireSafeHead(ControlledSeat seat) throws StatusException {
        long head = seat.status().head().height().value();
        long safe = seat.facts().get().safeHeight();
        if (safe < head) {
            throw refused(
                    Status.FAILED_PRECONDITION,
                    "from_unsafe_head: false, but " + (head - safe) + " committed entries above the safe head " + safe
                            + " are not published (expected: from_unsafe_head true, which goes on from " + head
                            + " and publishes them; what is committed is never dropped)");
        }
    }

    StopSequencerResponse stop(Caller caller, ControlledSeat seat, StopSequencerRequest request, Deeds.Beginning begin)
            throws StatusException, InterruptedException {
        if (!(request.getForce() && request.getLeaseToken().isEmpty())) {
            checkToken(caller, seat, request.getLeaseToken());
        }
        begin.now();
        StopSwitch.Stop stop = new StopSwitch.Stop(caller.identity(), request.getReason());
        Optional<StopSwitch.Stop> before = stops.of(name(seat));
        try {
            stops.stop(name(seat), stop); // first: if this process dies now, it must not come back as a leader
        } catch (IOException e) {
            throw refused(Status.UNAVAILABLE, "the order cannot be written down: " + e);
        }
        if (seat.status().leads() && !request.getForce()) {
            finishEntry(seat, before);
        }
        seat.joined().pause(stop.toString());
        SeatStatus after = await(seat, status -> status.standing().name() == Standing.Name.PAUSED, PATIENCE);
        if (after.standing().name() != Standing.Name.PAUSED) {
            throw refused(Status.UNAVAILABLE, after.self() + " did not stop within " + PATIENCE);
        }
        return StopSequencerResponse.newBuilder().setStopped(true).build();
    }

    /** A ticket for nobody makes the holder finish its entry and stay still: what follows is the end of the term. */
    private void finishEntry(ControlledSeat seat, Optional<StopSwitch.Stop> before)
            throws StatusException, InterruptedException {
        long giveUpNanos = System.nanoTime() + QUIESCE.toNanos();
        String why = "";
        while (System.nanoTime() - giveUpNanos < 0 && seat.status().leads()) {
            switch (ask(seat)) {
                case Handover.Issued ignored -> {
                    return;
                }
                case Handover.Refused(String reason) -> why = reason;
                case Handover.Taken ignored -> why = "the seat was taken over";
                case Handover.Aborted ignored -> why = "another handoff was aborted";
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        }
        if (seat.status().leads()) {
            takeBack(seat, before);
            throw refused(
                    Status.UNAVAILABLE,
                    "the entry under way did not end within " + QUIESCE + " (" + why
                            + "); nothing has changed (expected: try again, or stop with force)");
        }
    }

    private void takeBack(ControlledSeat seat, Optional<StopSwitch.Stop> before) throws StatusException {
        if (before.isEmpty()) {
            try {
                stops.start(name(seat));
            } catch (IOException e) {
                throw refused(Status.UNAVAILABLE, "the order to stop cannot be taken back: " + e);
            }
        }
    }

    private static Handover ask(ControlledSeat seat) throws InterruptedException {
        try {
            return seat.joined()
                    .handoff(NOBODY, QUIESCE)
                    .toCompletableFuture()
                    .get(QUIESCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return new Handover.Refused("no answer");
        }
    }

    /** Without a token that names the newest term nothing moves, unless the glass is broken. */
    void checkToken(Caller caller, ControlledSeat seat, ByteString token) throws StatusException {
        if (token.isEmpty() && caller.role() == Role.BREAK_GLASS && glass.now().isPresent()) {
            return;
        }
        SeatStatus status = seat.status();
        Optional<String> objection = tokens.objection(token, status.seat(), ControlledSeat.newestEpoch(status));
        if (objection.isPresent()) {
            throw refused(Status.FAILED_PRECONDITION, objection.get());
        }
    }

    private static SeatStatus await(ControlledSeat seat, Predicate<SeatStatus> condition, Duration patience)
            throws InterruptedException {
        long giveUpNanos = System.nanoTime() + patience.toNanos();
        SeatStatus now = seat.status();
        while (!condition.test(now) && System.nanoTime() - giveUpNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
            now = seat.status();
        }
        return now;
    }
}
