package dev.baton.seat;

import dev.baton.core.NodeId;
import dev.baton.core.Ticket;
import dev.baton.core.standing.Outlook;
import dev.baton.core.standing.Standing;
import java.util.concurrent.TimeUnit;

/**
 * A ticket that this node was given. The engine may refuse it once and accept it a moment later, and this node may be busy
 * with another election when it comes; its holder stays still for it meanwhile, so it is presented again as long as nothing
 * is known that spoils it. INV-9: whether it is good, the engine decides each time.
 */
record PresentedTicket(Ticket ticket, long untilNanos) {

    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    static PresentedTicket received(Ticket ticket, long nowNanos) {
        return new PresentedTicket(ticket, nowNanos + ticket.validFor().toNanos());
    }

    /** Whether it may be accepted yet if it is presented after the pause. */
    boolean mayBeGoodLater(NodeId self, Standing standing, long nowNanos) {
        return nowNanos + PAUSE_NANOS - untilNanos < 0 && mayBeGood(self, standing);
    }

    /** As far as this node knows: it is for this node, and the seat's term and head are still the ticket's. */
    boolean mayBeGood(NodeId self, Standing standing) {
        Outlook outlook = standing.outlook();
        return (standing instanceof Standing.Follower || standing instanceof Standing.Asking)
                && outlook.readiness().isReady()
                && ticket.target().equals(self)
                && outlook.holder().map(ticket.term()::equals).orElse(true)
                && !outlook.head().height().isAbove(ticket.head().height());
    }
}
