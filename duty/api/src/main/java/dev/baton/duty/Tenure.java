package dev.baton.duty;

import dev.baton.core.Head;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.time.Duration;

/** A term as its holder's duty sees it. Thread-safe; nothing here blocks. */
public interface Tenure {

    SeatId seat();

    Term term();

    /** The last entry known to be committed. */
    Head head();

    /**
     * Whether the term still holds, by this node's monotonic clock, at this moment.
     *
     * <p>INV-6: check it at the effect, not before: a pause can happen anywhere.
     */
    boolean holds();

    /**
     * Whether the holder has promised to stay still, because a ticket is out by which another node may take the seat at
     * any moment. What is not an entry, and must not happen under two terms at once, must not happen now either.
     */
    default boolean isQuiet() {
        return false;
    }

    /** How long the term holds if nothing renews it; zero once it is over. */
    Duration timeLeft();

    /** Something waits for a commit: pulse as soon as the current entry is finished. */
    void requestPulse();

    /** Throws {@link TermOverException} unless the term still holds. */
    default void check() {
        if (!holds()) {
            throw new TermOverException(term());
        }
    }
}
