package dev.baton.authority.nats.seat;

import dev.baton.authority.Candidate;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.util.Optional;

/**
 * A seat after one message of its stream. Every message carries it whole, so the last one tells everything.
 *
 * @param last the last term, held or over; empty before the first
 * @param resigned whether its holder gave it up
 * @param headAt the sequence of the head's message; 0 while there is none
 */
record SeatState(Optional<TermRecord> last, boolean resigned, Head head, long headAt, Height oldest) {

    /** Whose term it is, and how the one before it ended. */
    record TermRecord(Seating seating, Ending predecessorEnded) {}

    static final SeatState EMPTY = new SeatState(Optional.empty(), false, Head.GENESIS, 0, Height.FIRST);

    /** A new term begins with the message of this sequence, which is its epoch. */
    SeatState promoted(Candidate candidate, Ending predecessorEnded, long sequence) {
        Term term = new Term(new Epoch(sequence), candidate.holder());
        TermRecord record = new TermRecord(new Seating(term, candidate.address()), predecessorEnded);
        return new SeatState(Optional.of(record), false, head, headAt, oldest);
    }

    SeatState appended(Entry entry, long sequence) {
        return new SeatState(last, resigned, entry.asHead(), sequence, oldest);
    }

    SeatState withResignation() {
        return new SeatState(last, true, head, headAt, oldest);
    }

    SeatState trimmed(Height from) {
        return new SeatState(last, resigned, head, headAt, from);
    }

    /** Who holds the seat, unless the stream has stood still for too long. */
    Optional<Seating> seating() {
        return resigned ? Optional.empty() : last.map(TermRecord::seating);
    }

    /** INV-2: a term belongs to an incarnation, never to a name. */
    boolean isHeldBy(Term term) {
        return seating().filter(seating -> seating.term().equals(term)).isPresent();
    }

    boolean isHeldBy(Candidate candidate) {
        return seating()
                .filter(seating -> seating.term().holder().equals(candidate.holder()))
                .isPresent();
    }

    /** What fences this term; never lower than the term itself. */
    Epoch fencing(Term term) {
        Epoch highest = last.map(record -> record.seating().term().epoch()).orElse(Epoch.NONE);
        return highest.isAbove(term.epoch()) ? highest : term.epoch();
    }

    /** How the last term ended, given that nobody holds the seat. */
    Ending lastEnded() {
        if (last.isEmpty()) {
            return Ending.NONE;
        }
        return resigned ? Ending.RESIGNED : Ending.LAPSED;
    }

    /** INV-9: the term may have lapsed meanwhile; nobody took the seat since. */
    boolean fits(Ticket ticket, SeatId seat, Candidate candidate) {
        return last.isPresent()
                && ticket.matches(seat, last.get().seating().term(), head)
                && ticket.target().equals(candidate.holder().node());
    }
}
