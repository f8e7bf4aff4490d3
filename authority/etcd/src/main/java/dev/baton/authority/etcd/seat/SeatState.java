package dev.baton.authority.etcd.seat;

import com.google.protobuf.ByteString;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.seat.Records.Ended;
import dev.baton.authority.etcd.seat.Records.TermRecord;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import io.etcd.jetcd.api.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A seat at one revision: what stands under its {@code now/}.
 *
 * @param leaseId the lease under which the seat is held; empty if it is free
 * @param last the last term, held or over; empty before the first
 * @param headRevision at which revision the head came to stand there; 0 if there is none
 */
record SeatState(
        Optional<Long> leaseId,
        Optional<TermRecord> last,
        Optional<Ended> ended,
        Head head,
        long headRevision,
        Height oldest) {

    static SeatState of(SeatKeys keys, List<KeyValue> kept) {
        SeatState state =
                new SeatState(Optional.empty(), Optional.empty(), Optional.empty(), Head.GENESIS, 0, Height.FIRST);
        for (KeyValue pair : kept) {
            state = state.with(keys, pair);
        }
        return state;
    }

    /** The state after this key was written. */
    SeatState with(SeatKeys keys, KeyValue pair) {
        ByteString key = pair.getKey();
        ByteString value = pair.getValue();
        if (key.equals(keys.seat())) {
            return new SeatState(Optional.of(pair.getLease()), last, ended, head, headRevision, oldest);
        }
        if (key.equals(keys.term())) {
            Optional<TermRecord> term = Optional.of(Records.term(value, pair.getModRevision()));
            return new SeatState(leaseId, term, ended, head, headRevision, oldest);
        }
        if (key.equals(keys.ended())) {
            return new SeatState(leaseId, last, Optional.of(Records.ended(value)), head, headRevision, oldest);
        }
        if (key.equals(keys.head())) {
            return new SeatState(leaseId, last, ended, Records.head(value), pair.getModRevision(), oldest);
        }
        if (key.equals(keys.oldest())) {
            return new SeatState(leaseId, last, ended, head, headRevision, Records.height(value));
        }
        return this; // of a later version
    }

    /** The state after the seat was freed. */
    SeatState vacated() {
        return new SeatState(Optional.empty(), last, ended, head, headRevision, oldest);
    }

    /** Who holds the seat. */
    Optional<Seating> seating() {
        return leaseId.isPresent() ? last.map(TermRecord::seating) : Optional.empty();
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

    /** Whether the last term has committed anything; an epoch is the revision at which its term began. */
    boolean hasCommitted() {
        return headRevision > highestEpoch().value();
    }

    /** The highest epoch that was ever given here. */
    Epoch highestEpoch() {
        return last.map(record -> record.seating().term().epoch()).orElse(Epoch.NONE);
    }

    /** What fences this term; never lower than the term itself. */
    Epoch fencing(Term term) {
        return highestEpoch().isAbove(term.epoch()) ? highestEpoch() : term.epoch();
    }

    /** How the last term ended, given that nobody holds the seat. A lease that runs out leaves no note. */
    Ending lastEnded() {
        if (last.isEmpty()) {
            return Ending.NONE;
        }
        return ended.filter(note -> note.epoch().equals(highestEpoch()))
                .map(Ended::how)
                .orElse(Ending.LAPSED);
    }

    /** INV-9: the term may have lapsed meanwhile; nobody took the seat since, and its holder cannot commit any more. */
    boolean fits(Ticket ticket, SeatId seat, Candidate candidate) {
        return last.isPresent()
                && ticket.matches(seat, last.get().seating().term(), head)
                && ticket.target().equals(candidate.holder().node());
    }

    Look asLook() {
        return seating()
                .<Look>map(seating -> new Look.Held(seating, head, oldest))
                .orElseGet(() -> new Look.Vacant(lastEnded(), head, oldest));
    }

    /** The holder or the vacancy, as watchers are told it. */
    SeatEvent asEvent() {
        return seating().<SeatEvent>map(SeatEvent.Taken::new).orElseGet(() -> new SeatEvent.Vacated(lastEnded()));
    }

    /** What a new watcher is told. */
    List<SeatEvent> present() {
        List<SeatEvent> events = new ArrayList<>();
        events.add(asEvent());
        if (!head.isGenesis()) {
            events.add(new SeatEvent.Advanced(head));
        }
        return events;
    }
}
