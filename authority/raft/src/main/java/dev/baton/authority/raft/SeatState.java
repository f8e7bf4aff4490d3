package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.LedgerRule;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One seat as the Raft log says it: who holds it, and its ledger.
 *
 * <p>Every rule compares with the Raft term of the log entry that is applied, never with a member's current term: the
 * log is replayed after restarts, and each member must come to the same answers each time. Nothing here knows a clock.
 * Not thread-safe.
 */
final class SeatState {

    private final SeatId id;
    private final Consumer<SeatEvent> changes;

    private @Nullable Seating seating;
    private @Nullable Term lastTerm;
    private Ending lastEnded = Ending.NONE;
    /** How the term before the present one ended, so that a repeated promotion is answered alike. */
    private Ending predecessorEnded = Ending.NONE;

    private LedgerWindow window = new LedgerWindow();

    SeatState(SeatId id, Consumer<SeatEvent> changes) {
        this.id = id;
        this.changes = changes;
    }

    SeatState(SeatImage image, Consumer<SeatEvent> changes) {
        this(image.id(), changes);
        seating = image.seating().orElse(null);
        lastTerm = image.lastTerm().orElse(null);
        lastEnded = image.lastEnded();
        predecessorEnded = image.predecessorEnded();
        window = new LedgerWindow(image.head(), image.oldest(), image.entries());
    }

    SeatImage image() {
        return new SeatImage(
                id,
                Optional.ofNullable(seating),
                Optional.ofNullable(lastTerm),
                lastEnded,
                predecessorEnded,
                window.head(),
                window.oldest(),
                window.all());
    }

    SeatId id() {
        return id;
    }

    Optional<Seating> seating() {
        return Optional.ofNullable(seating);
    }

    Ending lastEnded() {
        return lastEnded;
    }

    LedgerWindow window() {
        return window;
    }

    /** INV-1: epochs are Raft terms, and grow with them. */
    Epoch highestEpoch() {
        return lastTerm == null ? Epoch.NONE : lastTerm.epoch();
    }

    boolean holds(Term term) {
        return seating != null && seating.term().equals(term);
    }

    /** INV-2: a term belongs to an incarnation, never to a name. */
    boolean isHeldBy(Candidate candidate) {
        return seating != null && seating.term().holder().equals(candidate.holder());
    }

    /**
     * INV-9: only while term and head equal the ticket's. Its Raft term may be over by now, and usually is: what
     * counts is that nobody took the seat since, and that its holder cannot commit any more.
     */
    boolean fits(Ticket ticket, Candidate candidate) {
        return lastTerm != null
                && ticket.matches(id, lastTerm, window.head())
                && ticket.target().equals(candidate.holder().node());
    }

    String misfit(Ticket ticket, Candidate candidate) {
        return "ticket of term " + ticket.term() + " at head " + ticket.head() + " for " + ticket.target() + " in "
                + ticket.seat() + " (expected: term " + lastTerm + " at head " + window.head() + " for "
                + candidate.holder().node() + " in " + id + ")";
    }

    /** Raft has begun this term; whoever held the seat in an earlier one cannot commit any more. */
    void raftTermBegins(long raftTerm) {
        if (seating != null && seating.term().epoch().value() < raftTerm) {
            vacate(Ending.LAPSED);
        }
    }

    Reply promote(Claim claim, Candidate candidate, long raftTerm) {
        if (seating != null) {
            return isHeldBy(candidate)
                    ? new Reply.Granted(seating, window.head(), predecessorEnded)
                    : new Reply.Held(seating);
        }
        if (highestEpoch().value() >= raftTerm) {
            return new Reply.Spent();
        }
        return switch (claim) {
            case Claim.Vacancy() -> grant(candidate, lastEnded, raftTerm);
            case Claim.Evidence(Term ignored) -> grant(candidate, lastEnded, raftTerm);
            case Claim.ByTicket(Ticket ticket) ->
                fits(ticket, candidate)
                        ? grant(candidate, endingByTicket(claim), raftTerm)
                        : new Reply.Refused(misfit(ticket, candidate));
        };
    }

    /** A holder that resigned after it had issued the ticket has stopped in either case. */
    private Ending endingByTicket(Claim claim) {
        return lastEnded == Ending.RESIGNED ? lastEnded : claim.endingOfPredecessor();
    }

    private Reply grant(Candidate candidate, Ending ended, long raftTerm) {
        Term term = new Term(new Epoch(raftTerm), candidate.holder());
        Seating granted = new Seating(term, candidate.address());
        predecessorEnded = ended;
        seating = granted;
        lastTerm = term;
        changes.accept(new SeatEvent.Taken(granted));
        return new Reply.Granted(granted, window.head(), ended);
    }

    /** INV-1: the log entry's own term decides, even if the seat still names the same holder. */
    Reply append(Term term, Entry entry, long raftTerm) {
        if (!holds(term) || term.epoch().value() != raftTerm) {
            return fenced(raftTerm);
        }
        Head head = window.head();
        return switch (LedgerRule.relate(entry, head)) {
            case NEXT -> {
                window.add(entry);
                changes.accept(new SeatEvent.Advanced(window.head()));
                yield new Reply.Committed();
            }
            case SAME_AS_HEAD -> new Reply.Committed();
            case BELOW -> {
                if (window.contains(entry)) {
                    yield new Reply.Committed();
                }
                yield new Reply.Conflict(
                        head,
                        window.reachesDownTo(entry.height())
                                ? entry + ": another stands at its height (the head is " + head + ")"
                                : entry + ": trimmed (the ledger begins at " + window.oldest() + ")");
            }
            case GAP -> new Reply.Conflict(head, entry + ": leaves a gap after head " + head);
            case OTHER_PARENT ->
                new Reply.Conflict(
                        head, entry + ": parent " + entry.parent().toShortString() + " (expected: " + head + ")");
        };
    }

    Reply end(Term term, Ending how) {
        if (holds(term)) {
            vacate(how);
        }
        return new Reply.Ended();
    }

    Reply trim(Term term, Height below, long raftTerm) {
        if (!holds(term) || term.epoch().value() != raftTerm) {
            return fenced(raftTerm);
        }
        window.trim(below);
        return new Reply.Trimmed(window.oldest());
    }

    private Reply fenced(long raftTerm) {
        return new Reply.Fenced(new Epoch(Math.max(highestEpoch().value(), raftTerm)));
    }

    private void vacate(Ending how) {
        seating = null;
        lastEnded = how;
        changes.accept(new SeatEvent.Vacated(how));
    }
}
