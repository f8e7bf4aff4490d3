package dev.baton.control.seal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
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
import dev.baton.wire.control.v1.Sealed;
import dev.baton.wire.control.v1.TermStatement;
import dev.baton.wire.control.v1.TicketStatement;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Handoff tickets that cannot be forged, redirected, kept for later or used twice. Thread-safe.
 *
 * <p>INV-20: a node takes a seat over by ticket only if the ticket carries the seal of the cluster's key, names this very
 * node as its target, has not expired, and was not presented here before. A ticket that was used is worthless anywhere:
 * its term is over, and the engine compares term and head (INV-9). The expiry goes by wall clocks, which may differ by
 * half a minute before handoffs fail; no safety rests on it, because the issuer's abort makes the ticket worthless, too.
 */
public final class SealedTickets {

    private static final String PURPOSE = "baton handoff ticket 1";

    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(30);

    /** More than anybody can present before the first of them expires. */
    private static final int REMEMBERED = 10_000;

    private final ClusterKey key;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Boolean> presented = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    public SealedTickets(ClusterKey key, InstantSource clock) {
        this.key = key;
        this.clock = clock;
    }

    /** What a presented ticket turned out to be. */
    public sealed interface Opened {
        record Good(Ticket ticket) implements Opened {}

        record Refused(String why) implements Opened {}
    }

    public ByteString seal(Ticket ticket) {
        TicketStatement statement = TicketStatement.newBuilder()
                .setTerm(LeaseTokens.statement(ticket.seat(), ticket.term()))
                .setHeight(ticket.head().height().value())
                .setHash(ByteString.copyFrom(ticket.head().hash().asBuffer()))
                .setTarget(ticket.target().value())
                .setValidMillis(ticket.validFor().toMillis())
                .setExpiresMillis(clock.millis() + ticket.validFor().toMillis())
                .setNonce(random.nextLong())
                .build();
        ByteString bytes = statement.toByteString();
        return Sealed.newBuilder()
                .setStatement(bytes)
                .setSeal(ByteString.copyFrom(key.seal(PURPOSE, bytes.toByteArray())))
                .build()
                .toByteString();
    }

    /** Checks a ticket that was presented to this node; a good one is good once. */
    public Opened open(ByteString presentedTicket, NodeId self) {
        TicketStatement statement;
        Ticket ticket;
        try {
            Sealed sealed = Sealed.parseFrom(presentedTicket);
            byte[] bytes = sealed.getStatement().toByteArray();
            if (!key.isSealed(PURPOSE, bytes, sealed.getSeal().toByteArray())) {
                return new Opened.Refused("handoff_ticket: its seal is not this cluster's");
            }
            statement = TicketStatement.parseFrom(bytes);
            ticket = ticket(statement);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            return new Opened.Refused("handoff_ticket: not a ticket (expected: the one that PrepareHandoff answered)");
        }
        if (!ticket.target().equals(self)) {
            return new Opened.Refused(
                    "handoff_ticket: for " + ticket.target() + " (expected: for " + self + ", which was asked)");
        }
        long lateMillis = clock.millis() - statement.getExpiresMillis() - CLOCKS_DIFFER.toMillis();
        if (lateMillis > 0) {
            return new Opened.Refused("handoff_ticket: expired " + (lateMillis + CLOCKS_DIFFER.toMillis())
                    + " ms ago (expected: prepare the handoff anew, and clocks within " + CLOCKS_DIFFER
                    + " of each other)");
        }
        synchronized (presented) {
            if (presented.putIfAbsent(statement.getNonce(), true) != null) {
                return new Opened.Refused("handoff_ticket: presented before (expected: prepare the handoff anew)");
            }
        }
        return new Opened.Good(ticket);
    }

    private static Ticket ticket(TicketStatement statement) {
        TermStatement term = statement.getTerm();
        return new Ticket(
                new SeatId(new ClusterId(term.getCluster()), new SeatName(term.getSeat()), new Era(term.getEra())),
                new Term(
                        new Epoch(term.getEpoch()),
                        new Holder(new NodeId(term.getHolder()), new Incarnation(term.getHolderIncarnation()))),
                new Head(
                        new Height(statement.getHeight()),
                        Hash.of(statement.getHash().toByteArray())),
                new NodeId(statement.getTarget()),
                Duration.ofMillis(statement.getValidMillis()));
    }
}
