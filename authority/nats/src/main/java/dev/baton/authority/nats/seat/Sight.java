package dev.baton.authority.nats.seat;

import dev.baton.core.Term;

/**
 * A seat's stream as it was seen.
 *
 * @param tip the sequence of its last message, whoever wrote it; 0 if there is none, or no stream
 * @param at the sequence of the last message that counts
 */
record Sight(long tip, long at, SeatState state) {

    static final Sight NOTHING = new Sight(0, 0, SeatState.EMPTY);

    /** The stream ends with this message, which counts. */
    static Sight of(SeatMessage message) {
        return new Sight(message.sequence(), message.sequence(), message.after());
    }

    /**
     * INV-1: a holder only ever writes on top of its own last message. A stranger's message above it fences, even if it
     * means nothing.
     */
    boolean isHeldBy(Term term) {
        return tip == at && state.isHeldBy(term);
    }
}
