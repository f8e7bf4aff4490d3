package dev.baton.authority.etcd.seat;

import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.etcd.wire.Bound;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One attempt to get the seat: look, take a lease, and give the seat to it in one transaction that compares what was
 * seen. A lease alone is nothing; the transaction elects.
 */
final class Candidacy {

    /** Whoever loses to a change that leaves the seat open tries again so often. */
    private static final int ROUNDS = 4;

    private final SeatId seat;
    private final SeatLine line;
    private final Claim claim;
    private final Candidate candidate;
    private final Bound by;

    Candidacy(SeatId seat, SeatLine line, Claim claim, Candidate candidate) {
        this.seat = seat;
        this.line = line;
        this.claim = claim;
        this.candidate = candidate;
        this.by = line.bound();
    }

    CompletableFuture<Promotion> run() {
        return line.look(by).thenCompose(reply -> switch (reply) {
            case Reply.Got<RangeResponse> got -> judge(line.state(got.value()), got.sentNanos(), ROUNDS);
            default -> done(new Promotion.Unavailable(Reply.trouble(reply)));
        });
    }

    private CompletableFuture<Promotion> judge(SeatState seen, long sentNanos, int rounds) {
        if (seen.isHeldBy(candidate)) {
            return again(seen, sentNanos);
        }
        Optional<Promotion> objection = objection(seen);
        if (objection.isPresent()) {
            return done(objection.get());
        }
        if (rounds == 0) {
            return done(new Promotion.Unavailable(seat + " changes faster than it can be taken"));
        }
        return line.grant(by).thenCompose(reply -> switch (reply) {
            case Reply.Got<LeaseGrantResponse> got -> take(seen, got.value().getID(), got.sentNanos(), rounds);
            default -> done(new Promotion.Unavailable(Reply.trouble(reply)));
        });
    }

    private Optional<Promotion> objection(SeatState seen) {
        Optional<Seating> holder = seen.seating();
        return switch (claim) {
            case Claim.Vacancy() -> holder.map(Candidacy::held);
            case Claim.Evidence(Term of) ->
                holder.filter(seating -> !seating.term().equals(of)).map(Candidacy::held);
            case Claim.ByTicket(Ticket ticket) ->
                seen.fits(ticket, seat, candidate)
                        ? Optional.empty()
                        : Optional.of(new Promotion.Refused("ticket of term " + ticket.term() + " at head "
                                + ticket.head() + " for " + ticket.target() + " in " + ticket.seat()
                                + " (expected: term "
                                + seen.last()
                                        .map(last -> last.seating().term().toString())
                                        .orElse("none")
                                + " at head " + seen.head() + " for "
                                + candidate.holder().node() + " in " + seat + ")"));
        };
    }

    private static Promotion held(Seating by) {
        return new Promotion.Held(by, Optional.empty());
    }

    /** How the term before ends if this one begins; a holder that resigned has stopped, whatever the claim says. */
    private Ending predecessorEnded(SeatState seen) {
        if (seen.seating().isPresent()) {
            return claim.endingOfPredecessor();
        }
        boolean handedOff = claim instanceof Claim.ByTicket && seen.lastEnded() == Ending.LAPSED;
        return handedOff ? Ending.HANDED_OFF : seen.lastEnded();
    }

    /** The lease counts from the send of its grant: that is the earliest of what gave it. */
    private CompletableFuture<Promotion> take(SeatState seen, long leaseId, long grantSentNanos, int rounds) {
        Ending ending = predecessorEnded(seen);
        TxnRequest transaction = claim instanceof Claim.ByTicket
                ? line.transactions().promoteAtHead(seen, candidate, ending, leaseId)
                : line.transactions().promote(seen, candidate, ending, leaseId);
        return line.commit(transaction, by).thenCompose(reply -> switch (reply) {
            case Reply.Got<TxnResponse> got -> {
                boolean elected = got.value().getSucceeded();
                SeatState now = line.state(got.value(), elected ? 2 : 0);
                // An earlier copy of this transaction, whose answer was lost, may have been the one that elected.
                if (now.leaseId().filter(id -> id == leaseId).isPresent()) {
                    yield done(elected(now, grantSentNanos));
                }
                line.revoke(leaseId);
                yield judge(now, got.sentNanos(), rounds - 1);
            }
            case Reply.Refused<TxnResponse> refused -> {
                if (refused.afterLoss()) {
                    yield done(new Promotion.Indeterminate(refused.why()));
                }
                line.revoke(leaseId);
                yield done(new Promotion.Unavailable(refused.why()));
            }
            case Reply.Unsent<TxnResponse> unsent -> done(new Promotion.Unavailable(unsent.why()));
            case Reply.Lost<TxnResponse> lost -> done(new Promotion.Indeterminate(lost.why()));
        });
    }

    /**
     * The same incarnation asks again, and nothing else changes. Before its first entry that renews the lease: INV-8 may
     * make it wait for its predecessor, and nothing is committed meanwhile. After that only commits renew.
     */
    private CompletableFuture<Promotion> again(SeatState seen, long sentNanos) {
        long leaseId = seen.leaseId().orElseThrow();
        return seen.hasCommitted() ? unrenewed(seen, leaseId, sentNanos) : renewed(seen, leaseId, sentNanos);
    }

    /** INV-6: counted from the look, for a reason that {@link Appending} tells of the transaction: a majority answered it. */
    private CompletableFuture<Promotion> renewed(SeatState seen, long leaseId, long sentNanos) {
        return line.renew(leaseId, by).thenApply(reply -> switch (reply) {
            case Reply.Got<LeaseKeepAliveResponse> got ->
                asked(seen, got.value().getTTL(), sentNanos);
            default -> new Promotion.Indeterminate(Reply.trouble(reply));
        });
    }

    /** Counts from as long ago as etcd says; it cuts what is left down to whole seconds, which is on the safe side. */
    private CompletableFuture<Promotion> unrenewed(SeatState seen, long leaseId, long sentNanos) {
        return line.left(leaseId, by).thenApply(reply -> switch (reply) {
            case Reply.Got<LeaseTimeToLiveResponse> got -> {
                long left = got.value().getTTL();
                long usedSeconds = Math.max(0, line.leaseSeconds() - left);
                yield asked(seen, left, sentNanos - TimeUnit.SECONDS.toNanos(usedSeconds));
            }
            default -> new Promotion.Indeterminate(Reply.trouble(reply));
        });
    }

    private Promotion asked(SeatState seen, long leftSeconds, long sentNanos) {
        return leftSeconds > 0
                ? elected(seen, sentNanos)
                : new Promotion.Indeterminate("the lease of " + candidate.holder() + " is running out");
    }

    private static Promotion elected(SeatState now, long sentNanos) {
        Records.TermRecord term = now.last().orElseThrow();
        return new Promotion.Elected(term.seating(), now.head(), term.predecessorEnded(), sentNanos);
    }

    private static CompletableFuture<Promotion> done(Promotion outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
