package dev.baton.control.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.baton.control.seal.SealedTickets.Opened;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import dev.baton.wire.control.v1.Sealed;
import dev.baton.wire.control.v1.TicketStatement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** INV-20: what a ticket must be to be taken. */
class SealedTicketsTest {

    private static final NodeId TARGET = new NodeId("n2");
    private static final Ticket TICKET = new Ticket(
            SeatId.of("demo", "blocks"),
            new Term(new Epoch(7), new Holder(new NodeId("n1"), new Incarnation(11))),
            new Head(new Height(42), Hash.ZERO),
            TARGET,
            Duration.ofSeconds(5));

    private final ClusterKey key = ClusterKey.random();
    private Instant now = Instant.ofEpochSecond(1_000_000);
    private final SealedTickets tickets = new SealedTickets(key, () -> now);

    @Test
    void aSealedTicketIsOpenedByItsTargetAsItWasIssued() {
        assertThat(tickets.open(tickets.seal(TICKET), TARGET)).isEqualTo(new Opened.Good(TICKET));
    }

    @Test
    void aTicketWithAnotherClustersSealIsRefused() {
        ByteString foreign = new SealedTickets(ClusterKey.random(), () -> now).seal(TICKET);

        assertRefused(foreign, TARGET, "its seal is not this cluster's");
    }

    @Test
    void aTicketWhoseStatementWasChangedIsRefusedWhateverBitIt() throws Exception {
        Sealed sealed = Sealed.parseFrom(tickets.seal(TICKET));
        for (int bit = 0; bit < sealed.getStatement().size() * 8; bit++) {
            byte[] changed = sealed.getStatement().toByteArray();
            changed[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(tickets.open(
                            sealed.toBuilder()
                                    .setStatement(ByteString.copyFrom(changed))
                                    .build()
                                    .toByteString(),
                            TARGET))
                    .as("bit " + bit)
                    .isInstanceOf(Opened.Refused.class);
        }
    }

    @Test
    void aTicketForAnotherTermCannotBeMadeFromAnOldOne() throws Exception {
        Sealed sealed = Sealed.parseFrom(tickets.seal(TICKET));
        TicketStatement statement = TicketStatement.parseFrom(sealed.getStatement());
        ByteString later = sealed.toBuilder()
                .setStatement(statement.toBuilder()
                        .setTerm(statement.getTerm().toBuilder().setEpoch(8))
                        .build()
                        .toByteString())
                .build()
                .toByteString();

        assertRefused(later, TARGET, "its seal is not this cluster's");
    }

    @Test
    void aTicketIsNoLeaseTokenAndALeaseTokenNoTicket() {
        LeaseTokens tokens = new LeaseTokens(key);

        assertThat(tokens.objection(tickets.seal(TICKET), TICKET.seat(), new Epoch(7)))
                .isPresent();
        assertRefused(tokens.issue(TICKET.seat(), new Epoch(7)), TARGET, "its seal is not this cluster's");
    }

    @Test
    void aTicketIsForItsTargetAlone() {
        assertRefused(tickets.seal(TICKET), new NodeId("n3"), "for n2 (expected: for n3");
    }

    @Test
    void aTicketExpires() {
        ByteString sealed = tickets.seal(TICKET);
        now = now.plusMillis(35_001);

        assertRefused(sealed, TARGET, "expired 30001 ms ago");
    }

    @Test
    void clocksThatDifferALittleDoNotStopAHandoff() {
        ByteString sealed = tickets.seal(TICKET);
        now = now.plusMillis(34_999);

        assertThat(tickets.open(sealed, TARGET)).isInstanceOf(Opened.Good.class);
    }

    @Test
    void aTicketIsGoodOnce() {
        ByteString sealed = tickets.seal(TICKET);
        assertThat(tickets.open(sealed, TARGET)).isInstanceOf(Opened.Good.class);

        assertRefused(sealed, TARGET, "presented before");
    }

    @Test
    void somethingElseIsNoTicket() {
        assertRefused(ByteString.copyFromUtf8("let me in"), TARGET, "handoff_ticket");
        assertRefused(ByteString.EMPTY, TARGET, "handoff_ticket");
    }

    private void assertRefused(ByteString presented, NodeId by, String why) {
        assertThat(tickets.open(presented, by))
                .isInstanceOfSatisfying(
                        Opened.Refused.class,
                        refused -> assertThat(refused.why()).contains(why));
    }
}
