package dev.baton.authority.raft;

import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import java.util.Optional;

/**
 * A seat as this member has applied it.
 *
 * @param raftTerm the term of the newest log entry applied
 * @param changedNanos when this member last saw a term begin, renew or end here; meaningless if it never did
 */
record SeatView(
        Optional<Seating> seating,
        Ending lastEnded,
        Epoch highestEpoch,
        Head head,
        Height oldest,
        long raftTerm,
        long changedNanos) {

    /** Whether somebody holds the seat in this very Raft term. */
    boolean isHeldIn(long term) {
        return seating.isPresent() && highestEpoch.value() == term;
    }

    /** Whether the seat was held in this Raft term and is free again: its next epoch needs another term. */
    boolean isSpentIn(long term) {
        return seating.isEmpty() && highestEpoch.value() >= term;
    }
}
