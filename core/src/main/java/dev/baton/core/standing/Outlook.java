package dev.baton.core.standing;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Term;
import java.util.Optional;

/**
 * What a node knows whatever its standing.
 *
 * @param vacant whether the seat was free when last heard of
 * @param holder the last term of another node that was heard of
 * @param head the highest head that was heard of
 * @param pulseSeenNanos when a holder was last seen to do something new, or when this node began to look
 * @param over the highest epoch of this node's own that it lost or gave back
 * @param attempts how many attempts at a pulse this node has begun; numbers each of them
 */
public record Outlook(
        Readiness readiness,
        boolean vacant,
        Optional<Term> holder,
        Head head,
        long pulseSeenNanos,
        Epoch over,
        long attempts) {

    public static Outlook initial(long nowNanos) {
        return new Outlook(
                new Readiness.NotReady("starting"), false, Optional.empty(), Head.GENESIS, nowNanos, Epoch.NONE, 0);
    }

    boolean mayStand() {
        return vacant && readiness.isReady();
    }

    Outlook with(Readiness changed) {
        return new Outlook(changed, vacant, holder, head, pulseSeenNanos, over, attempts);
    }

    /** The engine names a holder. Naming the same one again is no news of it. */
    Outlook sawHolder(Term term, long nowNanos) {
        return holder.filter(term::equals).isPresent()
                ? occupied()
                : new Outlook(readiness, false, Optional.of(term), head, nowNanos, over, attempts);
    }

    /** The ledger's head is this one. The same head again is no news. */
    Outlook sawHead(Head seen, long nowNanos) {
        return seen.height().isAbove(head.height())
                ? new Outlook(readiness, false, holder, seen, nowNanos, over, attempts)
                : this;
    }

    Outlook vacated() {
        return new Outlook(readiness, true, holder, head, pulseSeenNanos, over, attempts);
    }

    Outlook occupied() {
        return new Outlook(readiness, false, holder, head, pulseSeenNanos, over, attempts);
    }

    /** This node held the seat until now. */
    Outlook afterOwnTerm(Term own, Head last, long nowNanos) {
        return new Outlook(readiness, false, holder, last, nowNanos, over, attempts).gaveBack(own);
    }

    /** Nobody resumes a term: a late answer that grants this one again is not a new one. */
    Outlook gaveBack(Term own) {
        Epoch highest = own.epoch().isAbove(over) ? own.epoch() : over;
        return new Outlook(readiness, vacant, holder, head, pulseSeenNanos, highest, attempts);
    }

    Outlook nextAttempt() {
        return new Outlook(readiness, vacant, holder, head, pulseSeenNanos, over, attempts + 1);
    }
}
