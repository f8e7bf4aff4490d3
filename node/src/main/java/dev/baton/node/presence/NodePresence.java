package dev.baton.node.presence;

import com.google.protobuf.ByteString;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatName;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.node.v1.Presence;
import dev.baton.wire.node.v1.SeatPresence;
import java.util.List;
import java.util.Optional;

/**
 * What a node says of itself.
 *
 * @param controlAddress where its control listener is; empty if it has none
 * @param keyFingerprint by which its cluster key is recognised; empty if it has none, or its version does not say
 * @param clockMillis its wall clock when it said so; 0 if its version does not say
 */
public record NodePresence(
        String cluster,
        NodeId node,
        Incarnation incarnation,
        String version,
        String grpcAddress,
        String httpAddress,
        Hash agreement,
        String controlAddress,
        String keyFingerprint,
        long clockMillis,
        List<AtSeat> seats) {

    public NodePresence {
        seats = List.copyOf(seats);
    }

    /**
     * Where the node is with one seat.
     *
     * @param epoch of its own term; 0 if it has none
     * @param notReady why it could not lead; empty if it could
     */
    public record AtSeat(
            SeatName seat,
            Era era,
            Standing.Name standing,
            long epoch,
            Height height,
            Height applied,
            boolean ready,
            String notReady) {

        public static AtSeat of(SeatStatus status) {
            long epoch = status.standing() instanceof Standing.Tenured tenured
                    ? tenured.tenancy().term().epoch().value()
                    : 0;
            String notReady = status.readiness() instanceof Readiness.NotReady(String why) ? why : "";
            return new AtSeat(
                    status.seat().seat(),
                    status.seat().era(),
                    status.standing().name(),
                    epoch,
                    status.head().height(),
                    status.applied(),
                    status.readiness().isReady(),
                    notReady);
        }
    }

    public Optional<AtSeat> at(SeatName seat) {
        return seats.stream().filter(at -> at.seat().equals(seat)).findFirst();
    }

    Presence toWire() {
        Presence.Builder wire = Presence.newBuilder()
                .setCluster(cluster)
                .setNode(node.value())
                .setIncarnation(incarnation.value())
                .setVersion(version)
                .setGrpcAddress(grpcAddress)
                .setHttpAddress(httpAddress)
                .setControlAddress(controlAddress)
                .setKeyFingerprint(keyFingerprint)
                .setClockMillis(clockMillis)
                .setAgreementDigest(ByteString.copyFrom(agreement.asBuffer()));
        for (AtSeat at : seats) {
            wire.addSeats(SeatPresence.newBuilder()
                    .setSeat(at.seat().value())
                    .setEra(at.era().value())
                    .setStanding(at.standing().name())
                    .setEpoch(at.epoch())
                    .setHeight(at.height().value())
                    .setApplied(at.applied().value())
                    .setReady(at.ready())
                    .setNotReady(at.notReady()));
        }
        return wire.build();
    }

    /** Reads what another node sent; anything malformed is an {@link IllegalArgumentException}. */
    static NodePresence ofWire(Presence wire) {
        return new NodePresence(
                wire.getCluster(),
                new NodeId(wire.getNode()),
                new Incarnation(wire.getIncarnation()),
                wire.getVersion(),
                wire.getGrpcAddress(),
                wire.getHttpAddress(),
                Hash.of(wire.getAgreementDigest().toByteArray()),
                wire.getControlAddress(),
                wire.getKeyFingerprint(),
                wire.getClockMillis(),
                wire.getSeatsList().stream().map(NodePresence::ofWire).toList());
    }

    private static AtSeat ofWire(SeatPresence wire) {
        return new AtSeat(
                new SeatName(wire.getSeat()),
                new Era(wire.getEra()),
                Standing.Name.valueOf(wire.getStanding()),
                wire.getEpoch(),
                new Height(wire.getHeight()),
                new Height(wire.getApplied()),
                wire.getReady(),
                wire.getNotReady());
    }
}
