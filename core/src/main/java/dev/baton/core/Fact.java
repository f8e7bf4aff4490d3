package dev.baton.core;

import java.util.List;

/** A statement about the seat itself that rides along with an entry and is covered by its hash. */
public sealed interface Fact {

    /**
     * The opening entry of each term says whose term it is, so that history is ledger content on every engine.
     *
     * @param openedAtMillis the new holder's wall clock, for people to read
     */
    record Opened(Seating seating, Ending predecessorEnded, long openedAtMillis) implements Fact {}

    /** The holder leaves of its own accord: this is the term's last entry. */
    record Resigned(String reason) implements Fact {}

    /** The handoff whose ticket names this target will not take place; its old holder works on. */
    record HandoffAborted(NodeId target) implements Fact {}

    /**
     * One part of the duty's whole state after {@code covers}; part numbers begin at 1.
     *
     * <p>A checkpoint is complete when all parts of the same {@code covers} are committed.
     */
    record Checkpoint(Height covers, int part, int parts, Bytes state) implements Fact {
        public Checkpoint {
            if (part < 1 || part > parts) {
                throw new IllegalArgumentException("checkpoint: part " + part + " (expected: 1 to " + parts + ")");
            }
        }
    }

    /** The engine nodes that decide from the next height on. */
    record NodeSet(List<String> members) implements Fact {
        public NodeSet {
            members = List.copyOf(members);
        }
    }
}
