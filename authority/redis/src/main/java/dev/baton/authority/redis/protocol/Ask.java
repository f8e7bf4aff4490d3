package dev.baton.authority.redis.protocol;

import dev.baton.authority.PageLimit;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.Optional;

/** What is asked of one node about one seat. Each is answered in one step that nothing interrupts. */
public sealed interface Ask {

    /** An ask that means one member: answered only by a node that is it, and has been since its admission. */
    sealed interface OfMember extends Ask {
        MemberId member();
    }

    /**
     * Take the seat under this epoch, and promise to hear no lower one again.
     *
     * @param insteadOf the term that may be replaced though its lease runs
     * @param onlyAt the head at which alone the seat may be given
     */
    record Promote(MemberId member, Seating seating, Duration lease, Optional<Term> insteadOf, Optional<Head> onlyAt)
            implements OfMember {}

    /**
     * Accept this entry.
     *
     * @param lease how long the seat is the author's from now on; zero leaves the seat alone, as backfilling does
     */
    record Append(MemberId member, Seating seating, Entry entry, Duration lease) implements OfMember {}

    /**
     * Forget the ledger and begin again at this committed entry, which lies above everything the node has.
     *
     * @param governing the newest node set below it
     */
    record Rebase(MemberId member, Seating seating, Entry base, MemberSet governing) implements OfMember {}

    /**
     * The term is over.
     *
     * @param elected false withdraws a grant that elected nobody, so that nobody takes it for a term
     */
    record Resign(MemberId member, Term term, boolean elected) implements OfMember {}

    /** Forget the entries below, but never the tip. */
    record Trim(MemberId member, Term term, Height below) implements OfMember {}

    record Peek(MemberId member) implements OfMember {}

    record Range(MemberId member, Height from, PageLimit limit) implements OfMember {}

    /**
     * Who are you? Asked first on each connection. A restarted node that forgets nothing goes on as the same member.
     *
     * @param fsync the node's setting as it stands now; it counts for what happens at the next restart
     */
    record Recognise(Fsync fsync) implements Ask {}

    /**
     * Become a new member, with everything below {@code base} forgotten. Only a blank node can, or the stray that is
     * named: a member of no set, left by an admission that came to nothing, and asked by no lower epoch than it promised.
     *
     * @param run the run id of the process that is meant: an admission that arrives once more after a restart must not bring
     *     back a member that has forgotten its promise
     * @param seating whose term admits; empty when the seat is founded, which a node with a history refuses
     * @param governing the node set in force; what the member is sent above {@code base} brings it up to date
     * @param base where its ledger begins, a committed entry; empty when there is none
     */
    record Admit(
            MemberId member,
            Optional<MemberId> insteadOf,
            Fsync fsync,
            String run,
            Optional<Seating> seating,
            MemberSet governing,
            Optional<Entry> base)
            implements Ask {}
}
