package dev.baton.authority.nats.seat;

import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.Optional;

/**
 * One attempt to get the seat: look, and publish a promotion on exactly the message that was seen last.
 *
 * <p>INV-7: there is no lease in JetStream. A seat counts as free when its stream has stood still for the whole delay on
 * this process's own clock; and if its holder writes at the last moment, that message is in the way.
 */
final class Candidacy {

    /** Whoever loses to a change that leaves the seat open tries again so often. */
    private static final int ROUNDS = 4;

    private final SeatView view;
    private final Claim claim;
    private final Candidate candidate;
    private final Bound by;

    Candidacy(SeatView view, Claim claim, Candidate candidate) {
        this.view = view;
        this.claim = claim;
        this.candidate = candidate;
        this.by = view.bound();
    }

    Promotion run() {
        for (int round = 0; round < ROUNDS; round++) {
            Reply<Observation> reply = view.refresh(by);
            if (!(reply instanceof Reply.Got<Observation> got)) {
                return new Promotion.Unavailable(Reply.trouble(reply));
            }
            Optional<Promotion> decided = decide(got.value());
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return new Promotion.Unavailable(view.id() + " changes faster than it can be taken");
    }

    /**
     * Empty if somebody else was faster; then it is time to look again. The same incarnation keeps its term, unless it has
     * been silent for the whole delay: then the term is over for everybody, and it begins a new one like anybody else.
     */
    private Optional<Promotion> decide(Observation seen) {
        Sight sight = seen.sight();
        SeatState state = sight.state();
        if (sight.tip() == sight.at()
                && state.isHeldBy(candidate)
                && !seen.isStale(view.knowledge().policy())) {
            return elected(view.write(sight, SeatMessage.Kind.RENEWED, state, by));
        }
        Optional<Promotion> objection = objection(seen);
        if (objection.isPresent()) {
            return objection;
        }
        Optional<String> withoutStream = view.line().make(by);
        if (withoutStream.isPresent()) {
            return Optional.of(new Promotion.Unavailable(withoutStream.get()));
        }
        SeatState after = state.promoted(candidate, predecessorEnded(seen), sight.tip() + 1);
        return elected(view.write(sight, SeatMessage.Kind.PROMOTED, after, by));
    }

    private static Optional<Promotion> elected(Published outcome) {
        return switch (outcome) {
            case Published.Landed(SeatMessage message, long sentNanos) -> {
                SeatState.TermRecord term = message.after().last().orElseThrow();
                yield Optional.of(new Promotion.Elected(
                        term.seating(), message.after().head(), term.predecessorEnded(), sentNanos));
            }
            case Published.Beaten() -> Optional.empty();
            case Published.Unsent(String why) -> Optional.of(new Promotion.Unavailable(why));
            case Published.Unknown(String why) -> Optional.of(new Promotion.Indeterminate(why));
        };
    }

    private Optional<Promotion> objection(Observation seen) {
        Optional<Seating> holder = seen.seating(view.knowledge().policy());
        return switch (claim) {
            case Claim.Vacancy() -> holder.map(seating -> held(seating, seen));
            case Claim.Evidence(Term of) ->
                holder.filter(seating -> !seating.term().equals(of)).map(seating -> held(seating, seen));
            case Claim.ByTicket(Ticket ticket) ->
                seen.sight().state().fits(ticket, view.id(), candidate)
                        ? Optional.empty()
                        : Optional.of(refused(ticket, seen.sight().state()));
        };
    }

    private Promotion held(Seating by, Observation seen) {
        Duration left = seen.untilStale(view.knowledge().policy(), System.nanoTime());
        return new Promotion.Held(by, Optional.of(left.isNegative() ? Duration.ZERO : left));
    }

    private Promotion refused(Ticket ticket, SeatState state) {
        return new Promotion.Refused("ticket of term " + ticket.term() + " at head " + ticket.head() + " for "
                + ticket.target() + " in " + ticket.seat() + " (expected: term "
                + state.last().map(last -> last.seating().term().toString()).orElse("none") + " at head "
                + state.head() + " for " + candidate.holder().node() + " in " + view.id() + ")");
    }

    /** How the term before ends if this one begins; a holder that resigned has stopped, whatever the claim says. */
    private Ending predecessorEnded(Observation seen) {
        if (seen.seating(view.knowledge().policy()).isPresent()) {
            return claim.endingOfPredecessor();
        }
        Ending ended = seen.sight().state().lastEnded();
        return claim instanceof Claim.ByTicket && ended == Ending.LAPSED ? Ending.HANDED_OFF : ended;
    }
}
