package dev.baton.client;

import java.util.OptionalLong;

/** How often something has been tried, and whether and when to try it again. Used by one thread at a time. */
final class Tries {

    /** After so many in a row, nodes that name each other are taken for a node that knows nothing. */
    private static final int MAX_REDIRECTS = 4;

    private final int most;
    private final Backoff backoff;
    private int failed;
    private int redirects;

    Tries(int most, Backoff backoff) {
        this.most = most;
        this.backoff = backoff;
    }

    /** Whether to go where a node points. */
    boolean mayFollow() {
        return ++redirects <= MAX_REDIRECTS;
    }

    /** The pause before the next try; nothing if there is none, or no time for one. */
    OptionalLong pauseNanos(long remainingNanos) {
        redirects = 0;
        failed++;
        if (failed >= most) {
            return OptionalLong.empty();
        }
        long pause = backoff.pauseNanos(failed);
        return pause < remainingNanos ? OptionalLong.of(pause) : OptionalLong.empty();
    }

    /** It went well; what follows is counted from the beginning. */
    void reset() {
        failed = 0;
        redirects = 0;
    }
}
