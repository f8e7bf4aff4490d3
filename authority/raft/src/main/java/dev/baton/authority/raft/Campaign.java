package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Ticket;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidate's way to a seat: get the leadership to this member if that is allowed, then write the promotion.
 *
 * <p>Blocks, on a virtual thread of its own, no longer than the request timeout.
 */
final class Campaign {

    private static final Logger LOG = LoggerFactory.getLogger(Campaign.class);

    private static final long LOOK_AGAIN_MILLIS = 20;

    /** A transfer takes about 30 ms; asking again sooner would only get "moving" for an answer. */
    private static final long MOVE_MILLIS = 250;

    private final RaftSettings settings;
    private final RaftMember member;
    private final RaftLedger ledger;
    private final Leadership leadership;
    private final PeerLine line;
    private final Signal signal;
    private final Supplier<@Nullable String> outOfService;

    private final SeatId seat;
    private final Claim claim;
    private final Candidate candidate;

    private String why = "no leader is known";
    private boolean uncertain;
    private long movingUntilNanos = System.nanoTime();

    Campaign(RaftParts parts, SeatId seat, Claim claim, Candidate candidate) {
        this.settings = parts.settings();
        this.member = parts.member();
        this.ledger = parts.ledger();
        this.leadership = parts.leadership();
        this.line = parts.line();
        this.signal = parts.signal();
        this.outOfService = parts.outOfService();
        this.seat = seat;
        this.claim = claim;
        this.candidate = candidate;
    }

    Promotion run() {
        if (settings.isWitness(settings.node())) {
            return new Promotion.Refused(settings.node() + " is a witness: it votes and never holds a seat");
        }
        long beginNanos = System.nanoTime();
        while (true) {
            long seen = signal.changes();
            Footing footing = member.footing();
            Promotion decided = footing.leads() ? asLeader(footing.term()) : asFollower(footing);
            if (decided != null) {
                return decided;
            }
            String gone = outOfService.get();
            if (gone != null) {
                return uncertain ? new Promotion.Indeterminate(gone) : new Promotion.Unavailable(gone);
            }
            if (System.nanoTime() - beginNanos > settings.times().request().toNanos()) {
                LOG.debug("{}: {} is not elected in {}: {}", member.id(), candidate.holder(), seat, why);
                return uncertain ? new Promotion.Indeterminate(why) : new Promotion.Unavailable(why);
            }
            signal.await(seen, LOOK_AGAIN_MILLIS);
        }
    }

    /** Null if there is no answer yet. */
    private @Nullable Promotion asLeader(long term) {
        SeatView view = ledger.view(seat);
        if (view.isHeldIn(term)) {
            Seating by = view.seating().orElseThrow();
            if (!by.term().holder().equals(candidate.holder())) {
                return heldHere(by, term);
            }
        } else if (view.isSpentIn(term)) {
            leadership.renewTerm(term);
            return later("the seat's next epoch needs a new Raft term");
        }
        if (!leadership.beginPromoting()) {
            return later("the leadership is moving");
        }
        try {
            long sentNanos = System.nanoTime();
            return answer(
                    member.submit(new Command.Promote(seat, claim, candidate)).join(), sentNanos);
        } finally {
            leadership.endPromoting();
        }
    }

    private @Nullable Promotion heldHere(Seating by, long term) {
        if (!(claim instanceof Claim.ByTicket(Ticket ticket))) {
            return new Promotion.Held(by, Optional.empty());
        }
        if (!leadership.fits(seat, ticket, candidate)) {
            return new Promotion.Refused(
                    ledger.ask(seat, state -> state.misfit(ticket, candidate)).orElse("the seat is not held"));
        }
        leadership.renewTerm(term);
        return later("the seat's next epoch needs a new Raft term");
    }

    private @Nullable Promotion answer(Submitted submitted, long sentNanos) {
        return switch (submitted) {
            case Submitted.Applied(Reply reply) -> answer(reply, sentNanos);
            case Submitted.NotSent(String reason) -> later(reason);
            case Submitted.Unknown(String reason) -> {
                uncertain = true;
                yield later(reason);
            }
        };
    }

    private @Nullable Promotion answer(Reply reply, long sentNanos) {
        return switch (reply) {
            case Reply.Granted(Seating seating, Head head, Ending ended) ->
                new Promotion.Elected(seating, head, ended, sentNanos);
            case Reply.Held(Seating by) -> new Promotion.Held(by, Optional.empty());
            case Reply.Refused(String reason) -> new Promotion.Refused(reason);
            case Reply.Spent() -> later("the seat's next epoch needs a new Raft term");
            case Reply.Malformed(String reason) -> new Promotion.Refused(reason);
            case Reply.Committed ignored -> throw unexpected(reply);
            case Reply.Fenced ignored -> throw unexpected(reply);
            case Reply.Conflict ignored -> throw unexpected(reply);
            case Reply.Ended ignored -> throw unexpected(reply);
            case Reply.Trimmed ignored -> throw unexpected(reply);
        };
    }

    private static IllegalStateException unexpected(Reply reply) {
        return new IllegalStateException("a promotion was answered with " + reply);
    }

    private @Nullable Promotion asFollower(Footing footing) {
        Optional<RaftPeer> leader = footing.leader().flatMap(member::peer);
        if (leader.isEmpty() || leader.get().getId().equals(member.id().peer())) {
            return later("no leader is known");
        }
        if (System.nanoTime() - movingUntilNanos < 0) {
            return null; // the leadership is on its way here
        }
        PeerAnswer answer = line.ask(leader.get(), new PeerRequest.Lead(member.id(), seat, claim, candidate));
        return switch (answer) {
            case PeerAnswer.Granted() -> {
                movingUntilNanos = System.nanoTime() + MOVE_MILLIS * 1_000_000;
                yield later("the leadership did not arrive");
            }
            case PeerAnswer.Wait(String reason) -> later(reason);
            case PeerAnswer.Held(Seating by) -> new Promotion.Held(by, Optional.empty());
            case PeerAnswer.Refused(String reason) -> new Promotion.Refused(reason);
        };
    }

    private @Nullable Promotion later(String reason) {
        why = reason;
        return null;
    }
}
