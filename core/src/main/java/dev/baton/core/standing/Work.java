package dev.baton.core.standing;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import java.util.List;

/**
 * How far the holder is with its current entry. A failed attempt is taken up again at the same stage.
 *
 * <p>INV-5: once an entry was offered to the engine, the stage holds that very entry until it is committed or the
 * term ends; there is no way from {@link Append} to another entry at that height.
 */
public sealed interface Work {

    /** Elected, but the predecessor may still be acting until then. */
    record Wait(long untilNanos) implements Work {}

    /** The duty is brought up to the recovered head. */
    record CatchUp() implements Work {}

    /** The duty takes over. */
    record Assume() implements Work {}

    /** Nothing to do until the next pulse. */
    record Rest() implements Work {}

    /** The duty makes a payload; these facts will ride along. */
    record Draft(List<Fact> facts) implements Work {
        public Draft {
            facts = List.copyOf(facts);
        }
    }

    /** The engine is asked to commit the entry. */
    record Append(Entry entry) implements Work {}

    /** The entry is committed; the duty releases its effects. */
    record Release(Entry entry) implements Work {}
}
