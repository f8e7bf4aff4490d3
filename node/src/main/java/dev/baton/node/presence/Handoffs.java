package dev.baton.node.presence;

import dev.baton.control.seal.SealedTickets;
import dev.baton.core.Epoch;
import dev.baton.core.NodeId;
import dev.baton.core.Ticket;
import dev.baton.core.standing.Standing;
import dev.baton.seat.Handover;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import dev.baton.wire.node.v1.Presence;
import dev.baton.wire.node.v1.SeatPresence;
import dev.baton.wire.node.v1.StatusRequest;
import dev.baton.wire.node.v1.StatusResponse;
import dev.baton.wire.node.v1.TakeOverRequest;
import dev.baton.wire.node.v1.TakeOverResponse;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves a seat from this node to another one. Calls block; run them on a thread that may. */
public final class Handoffs {

    /** How far behind a target may be: what it catches up on before anybody notices. */
    private static final long MOST_BEHIND = 10;

    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Handoffs.class);

    private final NodeId self;
    private final PeerTable peers;
    private final PeerChannels channels;
    private final String version;
    private final Optional<SealedTickets> seals;

    /** @param seals by which tickets are sealed, if the cluster has a key */
    public Handoffs(
            NodeId self, PeerTable peers, PeerChannels channels, String version, Optional<SealedTickets> seals) {
        this.self = self;
        this.peers = peers;
        this.channels = channels;
        this.version = version;
        this.seals = seals;
    }

    /** What came of it. */
    public sealed interface Outcome {
        record Done(Epoch epoch, long height) implements Outcome {}

        /** Nothing changed: this node leads as before, or never did. */
        record Refused(String why) implements Outcome {}
    }

    public Outcome handOff(JoinedSeat seat, NodeId target, Duration validFor) throws InterruptedException {
        Optional<String> objection = objection(seat.status(), target);
        if (objection.isPresent()) {
            return new Outcome.Refused(objection.get());
        }
        return switch (await(seat.handoff(target, validFor), validFor.plus(GRACE))) {
            case Handover.Issued(Ticket ticket) -> present(seat, ticket);
            case Handover.Refused(String why) -> withdraw(seat, target, why);
            case Handover.Taken taken -> throw new IllegalStateException("a handoff was answered with " + taken);
            case Handover.Aborted aborted -> new Outcome.Refused("the handoff was aborted by somebody else");
        };
    }

    /** Why the target must not get the seat now; asks the target itself, and blocks for that. */
    public Optional<String> objection(SeatStatus status, NodeId target) {
        return absence(status, target).or(() -> targetObjects(status, target));
    }

    /** Why it would be pointless to try; what the engine and the target say later still decides. */
    private Optional<String> absence(SeatStatus status, NodeId target) {
        if (!status.leads()) {
            return Optional.of(self + " does not hold " + status.seat().seat() + " (expected: ask its holder, "
                    + status.currentHolder().map(by -> by.term().node().value()).orElse("which is nobody now") + ")");
        }
        if (target.equals(self)) {
            return Optional.of("to: " + target + " (expected: another node than the holder)");
        }
        Optional<PeerTable.Sighting> found = peers.find(target);
        if (found.isEmpty() || !peers.isPresent(found.get())) {
            return Optional.of(
                    "to: " + target + " has not announced itself lately (expected: a node that is up; known: "
                            + peers.all().stream()
                                    .map(peer -> peer.presence().node().value())
                                    .toList() + ")");
        }
        return Optional.empty();
    }

    /**
     * Asks the target itself, because an announcement may be a second old. A ticket stops the work, so nobody gets one who
     * cannot be told of it; this also opens the connection.
     */
    private Optional<String> targetObjects(SeatStatus status, NodeId target) {
        ManagedChannel channel = channels.to(address(target));
        channel.resetConnectBackoff();
        try {
            StatusResponse there = NodeServiceGrpc.newBlockingStub(channel)
                    .withWaitForReady()
                    .withDeadlineAfter(GRACE)
                    .status(StatusRequest.getDefaultInstance());
            return unfit(status, target, there.getPresence());
        } catch (StatusRuntimeException e) {
            return Optional.of("to: " + target + " at " + address(target) + " cannot be reached: " + words(e)
                    + " (expected: an answer within " + GRACE + ")");
        }
    }

    Optional<String> unfit(SeatStatus status, NodeId target, Presence presence) {
        String seat = status.seat().seat().value();
        if (!presence.getNode().equals(target.value())) {
            return Optional.of("to: " + address(target) + " is " + presence.getNode() + " (expected: " + target + ")");
        }
        if (!family(presence.getVersion()).equals(family(version))) {
            return Optional.of("to: " + target + " runs " + presence.getVersion() + " (expected: " + family(version)
                    + ".x, the version family of " + self + ")");
        }
        Optional<SeatPresence> there = presence.getSeatsList().stream()
                .filter(served -> served.getSeat().equals(seat))
                .findFirst();
        if (there.isEmpty()) {
            return Optional.of("to: " + target + " does not serve " + seat);
        }
        if (there.get().getStanding().equals(Standing.Name.PAUSED.name())) {
            return Optional.of("to: " + target
                    + " is paused (expected: a node that may lead; resume it first, unless it is an observer)");
        }
        if (there.get().getStanding().equals(Standing.Name.FENCED.name())) {
            return Optional.of("to: " + target + " is fenced, because it lost the seat and has not proven itself since"
                    + " (expected: a node that may lead; try again in a moment)");
        }
        if (!there.get().getReady()) {
            return Optional.of("to: " + target + " is not ready: " + there.get().getNotReady());
        }
        long behind = status.head().height().value() - there.get().getApplied();
        return behind > MOST_BEHIND
                ? Optional.of("to: " + target + " is " + behind + " entries behind (expected: at most " + MOST_BEHIND
                        + "; try again when it has caught up)")
                : Optional.empty();
    }

    /** Versions that differ only in the last number understand each other's entries. */
    static String family(String version) {
        String[] numbers = version.split("[.-]", 3);
        return numbers.length < 2 ? version : numbers[0] + "." + numbers[1];
    }

    private String address(NodeId target) {
        return peers.find(target).map(peer -> peer.presence().grpcAddress()).orElseThrow();
    }

    private static String words(StatusRuntimeException e) {
        String description = e.getStatus().getDescription();
        return e.getStatus().getCode() + (description == null ? "" : " " + description);
    }

    private Outcome present(JoinedSeat seat, Ticket ticket) throws InterruptedException {
        String why;
        try {
            TakeOverResponse response = NodeServiceGrpc.newBlockingStub(channels.to(address(ticket.target())))
                    .withDeadlineAfter(ticket.validFor().plus(GRACE))
                    .takeOver(presented(ticket));
            if (response.getRefused().isEmpty()) {
                return new Outcome.Done(
                        new Epoch(response.getEpoch()), ticket.head().height().value());
            }
            why = response.getRefused();
        } catch (StatusRuntimeException e) {
            why = words(e);
        }
        LOG.warn("{} did not take {} over: {}", ticket.target(), ticket.seat(), why);
        return withdraw(seat, ticket.target(), why);
    }

    private TakeOverRequest presented(Ticket ticket) {
        TakeOverRequest.Builder request = TakeOverRequest.newBuilder();
        seals.ifPresentOrElse(
                key -> request.setSealedTicket(key.seal(ticket)), () -> request.setTicket(TicketCodec.toWire(ticket)));
        return request.build();
    }

    /** Only a committed abort proves that the target did not take over after all. */
    private Outcome withdraw(JoinedSeat seat, NodeId target, String why) throws InterruptedException {
        if (await(seat.abortHandoff(), GRACE.multipliedBy(2)) instanceof Handover.Aborted) {
            return new Outcome.Refused(target + " did not take over: " + why + "; " + self + " leads on");
        }
        SeatStatus now = seat.status();
        return now.currentHolder()
                .filter(by -> by.term().node().equals(target))
                .<Outcome>map(by ->
                        new Outcome.Done(by.term().epoch(), now.head().height().value()))
                .orElseGet(() -> new Outcome.Refused(target + " did not take over: " + why + "; " + self + " is now "
                        + now.standing().name()));
    }

    private static Handover await(CompletionStage<Handover> stage, Duration patience) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new Handover.Refused("no answer within " + patience);
        } catch (ExecutionException e) {
            return new Handover.Refused(String.valueOf(e.getCause()));
        }
    }
}
