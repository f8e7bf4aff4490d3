package dev.baton.authority;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;

/** What came of an append. */
public sealed interface Appended {

    /**
     * The entry is durable and will never be replaced.
     *
     * @param sentNanos the monotonic time of the earliest send among the acknowledgements that renewed the lease
     */
    record Committed(Entry entry, long sentNanos) implements Appended {}

    /** The term is over: a higher epoch exists, or the seat was given up. Nothing was written. */
    record Fenced(Epoch by) implements Appended {}

    /** The entry does not follow the ledger's head, and another one stands at its height. Nothing was written. */
    record Conflict(Head actual, String why) implements Appended {}

    /** The entry may be committed, now or later. Only the same entry may be tried again. */
    record Indeterminate(String why) implements Appended {}

    /** Nothing was sent; the entry is not and will not be committed by this call. */
    record Unavailable(String why) implements Appended {}
}
