package dev.baton.duty.postgres;

import java.util.Set;
import java.util.TreeSet;

/**
 * Whom the records of one term call complete, besides the primary. Thread-safe.
 *
 * <p>INV-24: whoever is in a record that may yet be committed is waited for as if it were. A record of an earlier term is
 * in the ledger by now, or never will be; so each term begins with what the ledger says.
 */
final class Offers {

    private Set<String> complete = Set.of();
    private Set<String> offered = Set.of();

    /** A term begins; the ledger names these. */
    synchronized void begin(Set<String> committed) {
        complete = Set.copyOf(committed);
        offered = Set.of();
    }

    /** Whom the next record names, from now on. */
    synchronized void allow(Set<String> nodes) {
        complete = Set.copyOf(nodes);
    }

    /** Whom the record names that is made now. */
    synchronized Set<String> offer() {
        offered = complete;
        return offered;
    }

    /** These, and whoever is in the last record that was made. */
    synchronized Set<String> with(Set<String> nodes) {
        Set<String> both = new TreeSet<>(nodes);
        both.addAll(offered);
        return both;
    }
}
