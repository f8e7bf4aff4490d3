package dev.baton.control.rpc;

import static dev.baton.control.rpc.ControlEndpoint.refused;

import dev.baton.control.ControlledNode;
import dev.baton.control.ControlledSeat;
import dev.baton.control.access.Caller;
import dev.baton.control.seal.SealedTickets;
import dev.baton.control.seal.SealedTickets.Opened;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import dev.baton.seat.Handover;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.CompleteHandoffResponse;
import dev.baton.wire.admin.v1.LeadershipTerm;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A handoff in two phases: the holder prepares it, its target completes it. Blocks. */
final class Handing {

    private static final Duration USUAL = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ControlledNode node;
    private final SealedTickets tickets;
    private final Lifecycle lifecycle;

    Handing(ControlledNode node, SealedTickets tickets, Lifecycle lifecycle) {
        this.node = node;
        this.tickets = tickets;
        this.lifecycle = lifecycle;
    }

    /** The target is asked first: a ticket stops the work, so nobody gets one who cannot use it. */
    PrepareHandoffResponse prepare(
            Caller caller, ControlledSeat seat, PrepareHandoffRequest request, Deeds.Beginning begin)
            throws StatusException, InterruptedException {
        NodeId target = target(request.getTargetId());
        Duration validFor = validFor(request.getValidMillis());
        SeatStatus status = seat.status();
        if (!status.leads()) {
            throw refused(
                    Status.FAILED_PRECONDITION,
                    status.self() + " does not hold " + status.seat().seat() + " (expected: ask its holder, "
                            + status.currentHolder()
                                    .map(by -> by.term().node() + " at "
                                            + node.controlAddressOf(by.term().node()))
                                    .orElse("which is nobody now")
                            + ")");
        }
        lifecycle.checkToken(caller, seat, request.getLeaseToken());
        Optional<String> unfit = node.unfit(seat, target);
        if (unfit.isPresent()) {
            throw refused(Status.FAILED_PRECONDITION, unfit.get());
        }
        begin.now();
        return switch (await(seat.joined().handoff(target, validFor), validFor.plus(GRACE))) {
            case Handover.Issued(Ticket ticket) ->
                PrepareHandoffResponse.newBuilder()
                        .setHandoffTicket(tickets.seal(ticket))
                        .setTerm(LeadershipTerm.newBuilder()
                                .setTerm(ticket.term().epoch().value())
                                .setLeaderId(ticket.term().node().value()))
                        .setUnsafe(ControlEndpoint.unsafe(seat))
                        .setTargetControlAddress(node.controlAddressOf(target))
                        .build();
            case Handover.Refused(String why) ->
                throw refused(seat.status().leads() ? Status.FAILED_PRECONDITION : Status.ABORTED, why);
            case Handover.Aborted ignored -> throw refused(Status.ABORTED, "the handoff was aborted");
            case Handover.Taken ignored -> throw refused(Status.ABORTED, "the seat was taken over");
        };
    }

    private static NodeId target(String name) throws StatusException {
        try {
            return new NodeId(name);
        } catch (IllegalArgumentException e) {
            throw refused(Status.INVALID_ARGUMENT, "target_id: " + e.getMessage());
        }
    }

    private static Duration validFor(long millis) throws StatusException {
        if (millis < 0 || millis > LONGEST.toMillis()) {
            throw refused(
                    Status.INVALID_ARGUMENT,
                    "valid_millis: " + Long.toUnsignedString(millis) + " (expected: 0 to " + LONGEST.toMillis() + ")");
        }
        return millis == 0 ? USUAL : Duration.ofMillis(millis);
    }

    CompleteHandoffResponse complete(CompleteHandoffRequest request, Deeds.Beginning begin)
            throws StatusException, InterruptedException {
        Ticket ticket = switch (tickets.open(request.getHandoffTicket(), node.self())) {
            case Opened.Good(Ticket good) -> good;
            case Opened.Refused(String why) -> throw refused(Status.FAILED_PRECONDITION, why);
        };
        ControlledSeat seat = node.seat(Optional.of(ticket.seat().seat().value()))
                .filter(found -> found.status().seat().equals(ticket.seat()))
                .orElseThrow(
                        () -> refused(Status.FAILED_PRECONDITION, node.self() + " does not serve " + ticket.seat()));
        String stopped = lifecycle.stopped(seat);
        if (!stopped.isEmpty()) {
            throw refused(Status.FAILED_PRECONDITION, node.self() + " was " + stopped + " (expected: start it first)");
        }
        begin.now();
        return switch (await(seat.joined().takeOver(ticket), ticket.validFor().plus(GRACE))) {
            case Handover.Taken(Term term) ->
                CompleteHandoffResponse.newBuilder()
                        .setActivated(true)
                        .setTerm(LeadershipTerm.newBuilder()
                                .setTerm(term.epoch().value())
                                .setLeaderId(term.node().value()))
                        .setUnsafe(ControlEndpoint.unsafe(seat))
                        .build();
            case Handover.Refused(String why)
            when why.startsWith("the term ended") -> throw refused(Status.ABORTED, why);
            case Handover.Refused(String why) -> throw refused(Status.FAILED_PRECONDITION, why);
            case Handover.Aborted ignored -> throw refused(Status.ABORTED, "the handoff was aborted");
            case Handover.Issued ignored ->
                throw refused(Status.FAILED_PRECONDITION, node.self() + " holds the seat itself");
        };
    }

    private static Handover await(CompletionStage<Handover> stage, Duration patience) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new Handover.Refused("no outcome within " + patience);
        } catch (ExecutionException e) {
            return new Handover.Refused(String.valueOf(e.getCause()));
        }
    }
}
