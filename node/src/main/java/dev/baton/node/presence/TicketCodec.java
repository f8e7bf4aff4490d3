package dev.baton.node.presence;

import com.google.protobuf.ByteString;
import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;

/** A ticket on its way from the old holder to the new one. */
final class TicketCodec {

    private TicketCodec() {}

    static dev.baton.wire.node.v1.Ticket toWire(Ticket ticket) {
        return dev.baton.wire.node.v1.Ticket.newBuilder()
                .setCluster(ticket.seat().cluster().value())
                .setSeat(ticket.seat().seat().value())
                .setEra(ticket.seat().era().value())
                .setEpoch(ticket.term().epoch().value())
                .setHolder(ticket.term().node().value())
                .setHolderIncarnation(ticket.term().holder().incarnation().value())
                .setHeight(ticket.head().height().value())
                .setHash(ByteString.copyFrom(ticket.head().hash().asBuffer()))
                .setTarget(ticket.target().value())
                .setValidMillis(ticket.validFor().toMillis())
                .build();
    }

    /** Reads what {@link #toWire} wrote; anything malformed is an {@link IllegalArgumentException}. */
    static Ticket ofWire(dev.baton.wire.node.v1.Ticket wire) {
        return new Ticket(
                new SeatId(new ClusterId(wire.getCluster()), new SeatName(wire.getSeat()), new Era(wire.getEra())),
                new Term(
                        new Epoch(wire.getEpoch()),
                        new Holder(new NodeId(wire.getHolder()), new Incarnation(wire.getHolderIncarnation()))),
                new Head(new Height(wire.getHeight()), Hash.of(wire.getHash().toByteArray())),
                new NodeId(wire.getTarget()),
                Duration.ofMillis(wire.getValidMillis()));
    }
}
