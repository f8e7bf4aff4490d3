package dev.baton.authority;

import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.List;

/** What came of reading. */
public sealed interface Page {

    /**
     * Committed entries in order, perhaps none.
     *
     * @param head the last committed entry that the reader knows of; more may be read while it lies ahead
     */
    record Entries(List<Entry> entries, Head head) implements Page {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /** The ledger does not reach back that far any more. */
    record Trimmed(Height oldest) implements Page {}

    record Unavailable(String why) implements Page {}
}
