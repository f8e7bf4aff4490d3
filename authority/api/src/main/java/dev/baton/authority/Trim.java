package dev.baton.authority;

import dev.baton.core.Epoch;
import dev.baton.core.Height;

/** What came of trimming. */
public sealed interface Trim {

    /** The ledger now begins at {@code oldest}. */
    record Done(Height oldest) implements Trim {}

    /** The term is over; nothing was trimmed. */
    record Fenced(Epoch by) implements Trim {}

    /** The ledger may or may not have been trimmed. */
    record Unknown(String why) implements Trim {}
}
