package dev.baton.node;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.util.ArrayList;
import java.util.List;

/** The terms of a ledger, taken from its entries one after the other; the newest are kept. Not thread-safe. */
final class TermLog {

    /** More than anybody reads; a cluster that changes its holder every minute fills it in a week. */
    static final int MOST_TERMS = 10_000;

    private final List<History.Held> terms = new ArrayList<>();
    private Height read = Height.ZERO;
    private long lastAtMillis;

    /** The height of the last entry that was taken. */
    Height read() {
        return read;
    }

    List<History.Held> newest(int limit) {
        return List.copyOf(terms.subList(Math.max(0, terms.size() - limit), terms.size()));
    }

    /**
     * Takes the next entry.
     *
     * @param atMillis when it was made
     * @param timed whether that is known of it and of the one before; otherwise nobody can say how long the gap between
     *     them was
     */
    void take(Entry entry, long atMillis, boolean timed) {
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Opened opened) {
                open(opened, entry.height(), atMillis, timed);
            }
        }
        if (!terms.isEmpty()) {
            History.Held current = terms.getLast().upTo(entry.height(), atMillis);
            boolean resigned = entry.facts().stream().anyMatch(Fact.Resigned.class::isInstance);
            terms.set(terms.size() - 1, resigned ? current.ended(Ending.RESIGNED) : current);
        }
        read = entry.height();
        lastAtMillis = atMillis;
    }

    private void open(Fact.Opened opened, Height height, long atMillis, boolean timed) {
        Long gap = read.equals(Height.ZERO) || !timed ? null : Long.valueOf(atMillis - lastAtMillis);
        if (!terms.isEmpty()) {
            History.Held before = terms.getLast().ended(opened.predecessorEnded());
            terms.set(terms.size() - 1, timed ? before : before.notAfter(opened.openedAtMillis()));
        }
        terms.add(new History.Held(
                opened.seating().term(), opened.openedAtMillis(), height, height, atMillis, null, gap));
        if (terms.size() > MOST_TERMS) {
            terms.removeFirst();
        }
    }
}
