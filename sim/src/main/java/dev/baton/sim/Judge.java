package dev.baton.sim;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what nodes did against the rules, as it happens. It believes nobody: it sees effects and entries, not standings.
 */
public final class Judge {

    private final List<Violation> violations = new ArrayList<>();
    private final Map<Height, Entry> chain = new HashMap<>();
    private final Set<Hash> released = new HashSet<>();
    private final Map<Epoch, Term> terms = new HashMap<>();
    private final Set<Term> suspected = new HashSet<>();
    private Height top = Height.ZERO;
    private Epoch topEpoch = Epoch.NONE;

    /** A broken rule. */
    public record Violation(String rule, String what) {
        @Override
        public String toString() {
            return rule + ": " + what;
        }
    }

    /** A node saw this entry as committed. */
    public void committed(Entry entry) {
        Entry known = chain.putIfAbsent(entry.height(), entry);
        if (known != null) {
            expect(known.equals(entry), "INV-3", "two committed entries at one height: " + known + " and " + entry);
            return;
        }
        if (entry.height().isAbove(top)) {
            top = entry.height();
        }
        checkLinks(entry);
    }

    private void checkLinks(Entry entry) {
        Entry before = chain.get(new Height(entry.height().value() - 1));
        if (before != null) {
            expect(entry.follows(before.asHead()), "INV-4", entry + " does not follow " + before);
            expect(
                    !before.author().isAbove(entry.author()),
                    "INV-1",
                    entry + " was committed after " + before + " of a higher epoch");
        }
        Entry after = chain.get(entry.height().next());
        if (after != null) {
            expect(after.follows(entry.asHead()), "INV-4", after + " does not follow " + entry);
        }
    }

    /** A duty let the entry's effects go, under this term. */
    public void released(Term term, Entry entry) {
        committed(entry);
        released.add(entry.hash());
        expect(
                !entry.author().isAbove(term.epoch()),
                "INV-1",
                "term " + term + " released " + entry + " of a higher epoch");
    }

    /**
     * Somebody claims to have evidence that this term's process is gone. It may live on and even take over late: then
     * only the epoch stops it, which is what the other rules are about.
     */
    public void suspected(Term term) {
        suspected.add(term);
    }

    /** A duty took over. */
    public void assumed(Term term, Head head) {
        Term other = terms.putIfAbsent(term.epoch(), term);
        expect(other == null || other.equals(term), "INV-2", "two holders of one epoch: " + other + " and " + term);
        if (other == null) {
            boolean grows = term.epoch().isAbove(topEpoch);
            expect(
                    grows || suspected.contains(term),
                    "INV-1",
                    "term " + term + " began after epoch " + topEpoch + " had begun");
            topEpoch = grows ? term.epoch() : topEpoch;
        }
        expect(
                !head.height().isBelow(top) || suspected.contains(term),
                "INV-3",
                "term " + term + " begins at " + head + ", but " + top + " was committed");
    }

    /**
     * A duty works under this term. A lease ends at its holder before it ends at the engine, so nobody works any more
     * when the next one has taken over, unless that one acted on evidence.
     */
    public void acted(Term term) {
        expect(
                !topEpoch.isAbove(term.epoch()) || suspected.contains(term),
                "INV-6",
                "term " + term + " still works although epoch " + topEpoch + " has taken over");
    }

    /** What the engine's ledger says when all is over. */
    public void ledger(List<Entry> entries) {
        Set<Hash> hashes = new HashSet<>();
        for (Entry entry : entries) {
            committed(entry);
            hashes.add(entry.hash());
        }
        for (Entry seen : chain.values()) {
            expect(hashes.contains(seen.hash()), "INV-3", seen + " was seen as committed, but the ledger lost it");
        }
    }

    public void progress(boolean resumed, String what) {
        expect(resumed, "LIVENESS", what);
    }

    private void expect(boolean right, String rule, String otherwise) {
        if (!right) {
            violations.add(new Violation(rule, otherwise));
        }
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    public Height top() {
        return top;
    }

    public int termsSeen() {
        return terms.size();
    }

    public int releasedEntries() {
        return released.size();
    }
}
