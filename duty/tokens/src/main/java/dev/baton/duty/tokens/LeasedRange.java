package dev.baton.duty.tokens;

import dev.baton.core.Height;
import dev.baton.duty.tokens.state.Shape;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tokens of one leased namespace that this term has committed ahead. Thread-safe, without locks.
 *
 * <p>INV-15: the ranges of a term lie one behind the other, because nobody else covers tokens of a leased namespace. So a
 * single cursor goes through all of them, and a commit only moves the limit.
 */
final class LeasedRange {

    /** Entries between two ranges: fewer mean that more should be taken at once, more mean less. */
    private static final int BUSY = 4;

    private static final int CALM = 64;
    private static final int MOST_DOUBLINGS = 6;

    /**
     * Up to where tokens are committed.
     *
     * @param low at this index a new range should be asked for
     */
    record Cover(long limit, long low, Height height, long revision) {}

    private final Shape shape;
    private final long leastAhead;
    private final AtomicLong cursor;
    private final AtomicBoolean refilling = new AtomicBoolean();
    private volatile Cover cover;
    private volatile boolean frozen;
    private long ahead;

    /** An empty range that begins at this index. */
    LeasedRange(Shape shape, long from, long leastAhead) {
        this.shape = shape;
        this.leastAhead = leastAhead;
        this.ahead = leastAhead;
        this.cursor = new AtomicLong(from);
        this.cover = new Cover(from, from, Height.ZERO, 0);
    }

    Shape shape() {
        return shape;
    }

    Cover cover() {
        return cover;
    }

    boolean isFrozen() {
        return frozen;
    }

    void freeze(boolean on) {
        frozen = on;
    }

    /** Takes tokens below the limit; the index of the first, or -1 if there are too few. */
    long take(long count, long limit) {
        while (true) {
            long at = cursor.get();
            if (limit - at < count) {
                return -1;
            }
            if (cursor.compareAndSet(at, at + count)) {
                return at;
            }
        }
    }

    /** How many committed tokens have not been handed out. */
    long unhanded() {
        return cover.limit() - cursor.get();
    }

    /** Whether it is this caller's turn to ask for a new range. */
    boolean asksForMore(Cover seen) {
        return cursor.get() >= seen.low() && !refilling.get() && refilling.compareAndSet(false, true);
    }

    /** How many tokens to commit ahead of those that are waited for. Duty thread only. */
    long ahead() {
        return ahead;
    }

    /** More tokens are committed. Duty thread only. */
    void extend(long limit, Height height, long revision) {
        long since = height.value() - cover.height().value();
        if (since <= BUSY && ahead >> MOST_DOUBLINGS < leastAhead) {
            ahead *= 2;
        } else if (since >= CALM) {
            ahead = Math.max(leastAhead, ahead / 2);
        }
        cover = new Cover(limit, limit - (limit - cover.limit()) / 2, height, revision);
        refilling.set(false);
    }

    /** Nothing is left to commit: nobody need ask any more. */
    void endsHere() {
        refilling.set(true);
    }
}
