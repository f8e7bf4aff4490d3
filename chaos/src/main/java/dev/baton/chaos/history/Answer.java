package dev.baton.chaos.history;

/** What a client was told, or that it was told nothing. */
public sealed interface Answer {

    /** How an operation ended, as far as its caller can know. */
    enum Outcome {
        /** It happened. */
        OK,
        /** It did not happen and never will. */
        REFUSED,
        /** It may have happened, or may yet happen. */
        UNKNOWN
    }

    Outcome outcome();

    /**
     * The transaction is in a committed block.
     *
     * @param index its place in the block, from 0
     * @param duplicate the answer repeats an earlier one to the same transaction
     */
    record Included(long height, int index, String block, boolean duplicate) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /** The transaction is in the pool, and the pool will see it to its end. */
    record Pooled() implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /**
     * The row is committed.
     *
     * @param server the node whose database took it
     * @param timeline the database's own count of promotions when it did
     */
    record Written(String server, long timeline) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /**
     * The block is in the ledger, so no sequencer without it is ever to work again.
     *
     * @param server the node whose sequencer told it
     */
    record Recorded(String server, long number, String block, long epoch) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /**
     * The sequencer has made this block itself since it was asked.
     *
     * @param server the node that it runs beside
     * @param epoch the term under which it works, and which the block names
     */
    record Made(String server, long epoch, long number) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /**
     * The tokens {@code start}, {@code start + step} … up to and including {@code end}.
     *
     * @param revision the namespace's revision as the answer tells it
     * @param epoch the term that issued them
     * @param height the ledger entry that reserved them
     */
    record Issued(long start, long end, long step, long revision, long epoch, long height) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.OK;
        }
    }

    /** Not done, for certain: a definite refusal by the cluster, or the request never left the client. */
    record Refused(String why) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.REFUSED;
        }
    }

    /** A timeout, a broken connection, an answer that does not say; when in doubt, this one. */
    record Unknown(String why) implements Answer {
        @Override
        public Outcome outcome() {
            return Outcome.UNKNOWN;
        }
    }
}
