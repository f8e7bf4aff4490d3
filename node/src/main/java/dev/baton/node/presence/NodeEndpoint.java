package dev.baton.node.presence;

import dev.baton.control.seal.SealedTickets;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import dev.baton.node.evidence.Attendants;
import dev.baton.seat.Handover;
import dev.baton.seat.JoinedSeat;
import dev.baton.wire.node.v1.AnnounceRequest;
import dev.baton.wire.node.v1.AnnounceResponse;
import dev.baton.wire.node.v1.AttendRequest;
import dev.baton.wire.node.v1.AttendResponse;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import dev.baton.wire.node.v1.StatusRequest;
import dev.baton.wire.node.v1.StatusResponse;
import dev.baton.wire.node.v1.TakeOverRequest;
import dev.baton.wire.node.v1.TakeOverResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What a node answers its peers. Nothing here blocks. */
public final class NodeEndpoint extends NodeServiceGrpc.NodeServiceImplBase {

    private final NodeId self;
    private final Introductions introductions;
    private final Function<SeatId, Optional<JoinedSeat>> seats;
    private final Attendants attendants;
    private final Optional<SealedTickets> seals;

    /** @param seals by which tickets are sealed, if the cluster has a key: then no other ticket is taken */
    public NodeEndpoint(
            NodeId self,
            Introductions introductions,
            Function<SeatId, Optional<JoinedSeat>> seats,
            Attendants attendants,
            Optional<SealedTickets> seals) {
        this.self = self;
        this.introductions = introductions;
        this.seats = seats;
        this.attendants = attendants;
        this.seals = seals;
    }

    @Override
    public void announce(AnnounceRequest request, StreamObserver<AnnounceResponse> answer) {
        AnnounceResponse response;
        try {
            response = introductions.answer(request);
        } catch (IllegalArgumentException e) {
            answer.onError(malformed(e));
            return;
        }
        answer.onNext(response);
        answer.onCompleted();
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
        answer.onNext(StatusResponse.newBuilder()
                .setPresence(introductions.own().toWire())
                .build());
        answer.onCompleted();
    }

    @Override
    public void attend(AttendRequest request, StreamObserver<AttendResponse> answer) {
        attendants.admit(answer);
    }

    @Override
    public void takeOver(TakeOverRequest request, StreamObserver<TakeOverResponse> answer) {
        Ticket ticket;
        if (seals.isPresent()) {
            switch (seals.get().open(request.getSealedTicket(), self)) {
                case SealedTickets.Opened.Good(Ticket good) -> ticket = good;
                case SealedTickets.Opened.Refused(String why) -> {
                    refuse(answer, why);
                    return;
                }
            }
        } else {
            try {
                ticket = TicketCodec.ofWire(request.getTicket());
            } catch (IllegalArgumentException e) {
                answer.onError(malformed(e));
                return;
            }
        }
        Optional<JoinedSeat> seat = seats.apply(ticket.seat());
        if (seat.isEmpty()) {
            refuse(answer, self + " does not serve " + ticket.seat());
        } else if (!ticket.target().equals(self)) {
            refuse(answer, "the ticket is for " + ticket.target() + ", not for " + self);
        } else {
            takeOver(seat.get(), ticket, answer);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer is given in the callback
    private static void takeOver(JoinedSeat seat, Ticket ticket, StreamObserver<TakeOverResponse> answer) {
        CompletableFuture<Handover> outcome = seat.takeOver(ticket).toCompletableFuture();
        outcome.completeOnTimeout(
                        new Handover.Refused("no outcome within " + ticket.validFor()),
                        ticket.validFor().toMillis(),
                        TimeUnit.MILLISECONDS)
                .whenComplete((handover, defect) -> {
                    if (defect != null) {
                        refuse(answer, defect.toString());
                        return;
                    }
                    switch (handover) {
                        case Handover.Taken(Term term) -> {
                            answer.onNext(TakeOverResponse.newBuilder()
                                    .setEpoch(term.epoch().value())
                                    .build());
                            answer.onCompleted();
                        }
                        case Handover.Refused(String why) -> refuse(answer, why);
                        case Handover.Issued ignored -> refuse(answer, "this node holds the seat itself");
                        case Handover.Aborted ignored -> refuse(answer, "aborted");
                    }
                });
    }

    private static void refuse(StreamObserver<TakeOverResponse> answer, String why) {
        answer.onNext(TakeOverResponse.newBuilder().setRefused(why).build());
        answer.onCompleted();
    }

    private static RuntimeException malformed(IllegalArgumentException e) {
        return Status.INVALID_ARGUMENT
                .withDescription(e.getMessage())
                .withCause(e)
                .asRuntimeException();
    }
}
