package dev.baton.chaos.history;

/** What a client asked for. */
public sealed interface Request {

    /** The word for people and tables. */
    String kind();

    /** A transaction is to be included in a block; {@code transaction} is its hash. */
    record Submit(String transaction) implements Request {
        @Override
        public String kind() {
            return "submit";
        }
    }

    /** A transaction is to be kept in a shared pool until a block carries it; {@code transaction} is its hash. */
    record Offer(String transaction) implements Request {
        @Override
        public String kind() {
            return "offer";
        }
    }

    /** A row is to be written into a database. */
    record Write(String row) implements Request {
        @Override
        public String kind() {
            return "write";
        }
    }

    /** A block of a sequencer that is in the ledger, above one that the client has. */
    record Follow(long above) implements Request {
        @Override
        public String kind() {
            return "follow";
        }
    }

    /** Whether the sequencer beside this node makes blocks now. */
    record Watch(String node) implements Request {
        @Override
        public String kind() {
            return "watch";
        }
    }

    /** The next {@code count} tokens of a namespace; {@code guarantee} is {@code strict}, {@code leased} … */
    record Next(String namespace, int count, String guarantee) implements Request {

        /** The guarantee under which tokens are ordered by real time across all callers. */
        public static final String STRICT = "strict";

        @Override
        public String kind() {
            return "next";
        }

        public boolean isStrict() {
            return guarantee.equals(STRICT);
        }
    }
}
