package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.core.Claim;
import dev.baton.core.SeatId;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When this member leads: whether the leadership may go elsewhere, and its way there.
 *
 * <p>The gate keeps two things apart. A term that is being granted here must not be overtaken by a move that was allowed
 * because the seat looked vacant; so moves wait for promotions under way, and promotions for moves.
 */
final class Leadership {

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    /** So long a new leader's own candidates come first, and a node that resigns several seats may finish. */
    static final Duration GRACE = Duration.ofMillis(150);

    private final RaftSettings settings;
    private final RaftMember member;
    private final RaftLedger ledger;
    private final Signal signal;
    private final Executor blocking;

    private final ReentrantLock gate = new ReentrantLock();
    private boolean moving;
    private int promoting;
    private volatile long readyNanos = System.nanoTime();

    Leadership(RaftSettings settings, RaftMember member, RaftLedger ledger, Signal signal, Executor blocking) {
        this.settings = settings;
        this.member = member;
        this.ledger = ledger;
        this.signal = signal;
        this.blocking = blocking;
    }

    void ready() {
        readyNanos = System.nanoTime();
    }

    /** Whether a promotion may be submitted now; if so, {@link #endPromoting} must follow. */
    boolean beginPromoting() {
        gate.lock();
        try {
            if (moving) {
                return false;
            }
            promoting++;
            return true;
        } finally {
            gate.unlock();
        }
    }

    void endPromoting() {
        gate.lock();
        try {
            promoting--;
        } finally {
            gate.unlock();
        }
    }

    /** Another member's candidate wants a seat. */
    PeerAnswer consider(PeerRequest.Lead wish) {
        gate.lock();
        try {
            Footing footing = member.footing();
            if (!footing.leads()) {
                return new PeerAnswer.Wait("the leadership is moving");
            }
            if (settings.isWitness(wish.from().node())) {
                return new PeerAnswer.Refused(wish.from() + " is a witness: it votes and never holds a seat");
            }
            if (member.peer(wish.from()).isEmpty()) {
                return new PeerAnswer.Refused(wish.from() + " is not a member of the group");
            }
            PeerAnswer answer = judge(wish, footing.term());
            if (answer instanceof PeerAnswer.Granted) {
                begin(Optional.of(wish.from()), footing.term(), false);
            }
            return answer;
        } finally {
            gate.unlock();
        }
    }

    private PeerAnswer judge(PeerRequest.Lead wish, long term) {
        SeatView seat = ledger.view(wish.seat());
        if (wish.claim() instanceof Claim.ByTicket(Ticket ticket)) {
            return judge(ticket, wish);
        }
        if (seat.isHeldIn(term)) {
            return new PeerAnswer.Held(seat.seating().orElseThrow());
        }
        if (moving || promoting > 0) {
            return new PeerAnswer.Wait("another candidate is being heard");
        }
        boolean othersHeld =
                ledger.held().stream().anyMatch(held -> held.term().epoch().value() == term);
        if (seat.isSpentIn(term)) {
            return othersHeld && isRecent(seat.changedNanos())
                    ? new PeerAnswer.Wait("the holder may be giving up its other seats")
                    : new PeerAnswer.Granted();
        }
        if (othersHeld) {
            return new PeerAnswer.Refused("all seats follow the leader, and " + member.id()
                    + " holds others; it does not want " + wish.seat());
        }
        return isRecent(readyNanos)
                ? new PeerAnswer.Wait("candidates of " + member.id() + ", the new leader, come first")
                : new PeerAnswer.Granted();
    }

    private PeerAnswer judge(Ticket ticket, PeerRequest.Lead wish) {
        Candidate candidate = wish.candidate();
        boolean fits =
                ledger.ask(wish.seat(), state -> state.fits(ticket, candidate)).orElse(false);
        if (!fits) {
            return new PeerAnswer.Refused(ledger.ask(wish.seat(), state -> state.misfit(ticket, candidate))
                    .orElse("ticket for " + ticket.seat() + " (expected: a seat that somebody holds)"));
        }
        return moving || promoting > 0
                ? new PeerAnswer.Wait("another candidate is being heard")
                : new PeerAnswer.Granted();
    }

    private static boolean isRecent(long sinceNanos) {
        return System.nanoTime() - sinceNanos < GRACE.toNanos();
    }

    /** Whether a ticket entitles a candidate at this very member. */
    boolean fits(SeatId seat, Ticket ticket, Candidate candidate) {
        return ledger.ask(seat, state -> state.fits(ticket, candidate)).orElse(false);
    }

    /**
     * Begins a new Raft term, because a seat's next epoch needs one. The leadership goes to another member and may be
     * asked back; alone, this member elects itself anew.
     */
    void renewTerm(long term) {
        gate.lock();
        try {
            if (!moving && promoting == 0) {
                begin(member.bestFollower(), term, true);
            }
        } finally {
            gate.unlock();
        }
    }

    /** Hands the leadership to that member, unless a move is under way; true if it has begun. */
    boolean moveTo(MemberId target) {
        gate.lock();
        try {
            Footing footing = member.footing();
            if (moving || promoting > 0 || !footing.leads()) {
                return false;
            }
            begin(Optional.of(target), footing.term(), false);
            return true;
        } finally {
            gate.unlock();
        }
    }

    /** Gives the leadership to whoever may hold seats; a witness does so at once. */
    void giveAway(long term) {
        gate.lock();
        try {
            Optional<MemberId> best = member.bestFollower();
            if (!moving && best.isPresent()) {
                begin(best, term, false);
            }
        } finally {
            gate.unlock();
        }
    }

    private void begin(Optional<MemberId> target, long term, boolean renewing) {
        moving = true;
        blocking.execute(() -> {
            try {
                move(target, term, renewing);
            } finally {
                gate.lock();
                try {
                    moving = false;
                } finally {
                    gate.unlock();
                }
                signal.raise();
            }
        });
    }

    /**
     * One attempt. The engine may elect another member than the named one, or none in time; whoever wanted the move looks
     * who leads and asks again.
     */
    private void move(Optional<MemberId> target, long term, boolean renewing) {
        LOG.debug("{}: leadership of term {} to {}", member.id(), term, target);
        member.transfer(target);
        if (renewing && target.isPresent() && stillLeads(term)) {
            member.transfer(Optional.empty());
        }
    }

    private boolean stillLeads(long term) {
        Footing footing = member.footing();
        return footing.leads() && footing.term() == term;
    }
}
