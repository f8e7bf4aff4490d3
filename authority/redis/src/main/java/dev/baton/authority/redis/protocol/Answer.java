package dev.baton.authority.redis.protocol;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What one node answered, or that it did not. */
public sealed interface Answer {

    /**
     * The seat is the candidate's on this node.
     *
     * @param before what the node knew at that moment, read in the same step
     * @param tip the entry at its tip
     */
    record Granted(Sight before, Optional<Entry> tip) implements Answer {}

    /** Somebody else sits there. */
    record Held(Seating by, Duration left, Epoch promised) implements Answer {}

    /** The epoch is not above what was promised. */
    record Stale(Epoch promised) implements Answer {}

    /** The tip is not where the ticket says. */
    record Elsewhere(Optional<Tip> tip) implements Answer {}

    /** The entry is the node's tip under the asker's ballot. */
    record Accepted() implements Answer {}

    /**
     * The node's tip lies above the entry.
     *
     * @param same whether it has this very entry at that height
     */
    record Ahead(boolean same, Tip tip) implements Answer {}

    /** The entry does not follow what the node has. */
    record Behind(Optional<Tip> tip) implements Answer {}

    /** The epoch is over: a higher one was promised, or it was given up. */
    record Fenced(Epoch by) implements Answer {}

    record Done() implements Answer {}

    record Trimmed(Height oldest) implements Answer {}

    record Seen(Sight sight) implements Answer {}

    /** Entries in order, perhaps none, with what the node knew at that moment. */
    record Entries(List<Entry> entries, Sight sight) implements Answer {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /** The node is no member: it never was, it lost its data, or it may have forgotten a promise. */
    record Blank(String why) implements Answer {}

    /** The node is another member than the one that was meant. */
    record Other(MemberId actual) implements Answer {}

    /** What the node keeps under our keys is not ours, or is damaged. It has no vote, and nobody repairs it by guessing. */
    record Broken(String why) implements Answer {}

    /** No answer: the node may have done it, now or later. */
    record Lost(String why) implements Answer {}

    /** Never sent, so never done. */
    record Unsent(String why) implements Answer {}
}
