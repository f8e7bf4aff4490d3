package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Promotion;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The planned change of holder. INV-9 throughout. */
interface HandoffTests extends AtBench {

    @Test
    default void aTicketThatFitsGivesTheSeatToItsTarget() {
        Holding old = bench().contender(1).take();
        old.commit(2);
        Contender target = bench().contender(2);

        Holding present = byTicket(target, old.ticketFor(target.node()));

        assertThat(present.term().epoch()).isGreaterThan(old.term().epoch());
        assertThat(present.elected().predecessorEnded()).isEqualTo(Ending.HANDED_OFF);
        assertThat(present.elected().head()).isEqualTo(old.head());
        present.commit("under the new holder");
    }

    @Test
    default void theOldHolderIsFencedAfterTheHandoff() {
        Holding old = bench().contender(1).take();
        old.commit(2);
        Contender target = bench().contender(2);

        Holding present = byTicket(target, old.ticketFor(target.node()));

        assertThat(old.tryNext("too late")).isInstanceOf(Appended.Fenced.class);
        old.resign();
        present.commit("undisturbed");
    }

    @Test
    default void aTicketUsedTwiceByItsTargetReturnsTheSameTerm() {
        Holding old = bench().contender(1).take();
        old.commit(1);
        Contender target = bench().contender(2);
        Ticket ticket = old.ticketFor(target.node());

        Holding first = byTicket(target, ticket);
        Holding second = byTicket(target, ticket);

        assertThat(second.elected().seating()).isEqualTo(first.elected().seating());
        assertThat(second.elected().predecessorEnded()).isEqualTo(Ending.HANDED_OFF);
    }

    /** The holder went on, by an entry that aborts the handoff: the head moved, and the ticket is void. */
    @Test
    default void aTicketOfAnEarlierHeadIsRefused() {
        Holding holding = bench().contender(1).take();
        holding.commit(2);
        Ticket ticket = holding.ticketFor(bench().contender(2).node());
        holding.commit("the handoff is off");

        assertRefused(holding, ticket);
    }

    @Test
    default void aTicketOfAnotherHeadAtTheSameHeightIsRefused() {
        assertRefusedWhen(ticket -> new Ticket(
                ticket.seat(),
                ticket.term(),
                new Head(ticket.head().height(), Head.GENESIS.hash()),
                ticket.target(),
                ticket.validFor()));
    }

    @Test
    default void aTicketOfAnotherEpochIsRefused() {
        assertRefusedWhen(ticket -> new Ticket(
                ticket.seat(),
                new Term(
                        new Epoch(ticket.term().epoch().value() + 1),
                        ticket.term().holder()),
                ticket.head(),
                ticket.target(),
                ticket.validFor()));
    }

    @Test
    default void aTicketOfAnotherIncarnationIsRefused() {
        assertRefusedWhen(ticket -> new Ticket(
                ticket.seat(),
                new Term(ticket.term().epoch(), bench().contender(1).holder()),
                ticket.head(),
                ticket.target(),
                ticket.validFor()));
    }

    @Test
    default void aTicketOfAnotherSeatIsRefused() {
        assertRefusedWhen(ticket ->
                new Ticket(bench().newSeat(), ticket.term(), ticket.head(), ticket.target(), ticket.validFor()));
    }

    @Test
    default void aTicketMadeOutToAnotherNodeIsRefused() {
        assertRefusedWhen(ticket -> new Ticket(
                ticket.seat(),
                ticket.term(),
                ticket.head(),
                bench().contender(3).node(),
                ticket.validFor()));
    }

    private void assertRefusedWhen(UnaryOperator<Ticket> forge) {
        Holding holding = bench().contender(1).take();
        holding.commit(2);
        assertRefused(
                holding, forge.apply(holding.ticketFor(bench().contender(2).node())));
    }

    private void assertRefused(Holding holding, Ticket ticket) {
        Promotion outcome = bench().patience()
                .until(
                        "the ticket is judged",
                        () -> bench().contender(2).promote(new Claim.ByTicket(ticket)),
                        answer -> !(answer instanceof Promotion.Unavailable
                                || answer instanceof Promotion.Indeterminate));

        assertThat(outcome).isInstanceOfAny(Promotion.Refused.class, Promotion.Held.class);
        holding.commit("undisturbed");
    }

    /** A refusal may be for the moment, while the engine moves; a ticket that fits gets through in the end. */
    private static Holding byTicket(Contender target, Ticket ticket) {
        return target.takeUntilElected(new Claim.ByTicket(ticket));
    }
}
