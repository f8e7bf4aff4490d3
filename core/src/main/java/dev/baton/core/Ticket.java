package dev.baton.core;

import java.time.Duration;

/**
 * A promise of the holder to stay still at {@code head} so that {@code target} can take over.
 *
 * <p>INV-9: a ticket is good only while the seat's term and head equal the ticket's. After issuing one the holder
 * resumes only by committing a {@link Fact.HandoffAborted}, which moves the head; it never trusts its own clock for
 * that. {@code validFor} merely bounds how long the target may try.
 */
public record Ticket(SeatId seat, Term term, Head head, NodeId target, Duration validFor) {

    public boolean matches(SeatId currentSeat, Term currentTerm, Head currentHead) {
        return seat.equals(currentSeat) && term.equals(currentTerm) && head.equals(currentHead);
    }
}
