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
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Holds what nodes did against the rules, as it happens. It believes nobody: it sees effects and entries, not standings.
 */
public final class Judge {

    private final List<Violation> violations = new ArrayList<>();
    private final TreeMap<Height, Entry> chain = new TreeMap<>();
    private final Set<Hash> released = new HashSet<>();
    private final TreeMap<Epoch, Term> terms = new TreeMap<>();
    private final Map<Epoch, Height> began = new HashMap<>();
    private final Set<Term> suspected = new HashSet<>();
    private final Map<Term, Head> offered = new HashMap<>();
    private Predicate<Entry> decided = entry -> true;
    private boolean overlapExcused;
    private Height top = Height.ZERO;
    private Epoch topEpoch = Epoch.NONE;

    /** A broken rule. */
    public record Violation(String rule, String what) {
        @Override
        public String toString() {
            return rule + ": " + what;
        }
    }

    /** Whoever can see by itself which entries are decided says so from now on. */
    void asks(Predicate<Entry> whetherDecided) {
        decided = whetherDecided;
    }

    /** A node saw this entry as committed. */
    void committed(Entry entry) {
        expect(decided.test(entry), "INV-11", () -> entry + " was taken for committed, but no quorum has it");
        decided(entry);
    }

    /** This entry is committed. */
    void decided(Entry entry) {
        Entry known = chain.putIfAbsent(entry.height(), entry);
        if (known != null) {
            expect(
                    known.equals(entry),
                    "INV-3",
                    () -> "two committed entries at one height: " + known + " and " + entry);
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
            expect(entry.follows(before.asHead()), "INV-4", () -> entry + " does not follow " + before);
            expect(
                    !before.author().isAbove(entry.author()),
                    "INV-1",
                    () -> entry + " was committed after " + before + " of a higher epoch");
        }
        Entry after = chain.get(entry.height().next());
        if (after != null) {
            expect(after.follows(entry.asHead()), "INV-4", () -> after + " does not follow " + entry);
        }
    }

    /** A term offers this entry to the engine. One is in flight at a time, so the last offer is the one to look at. */
    void offered(Term term, Entry entry) {
        Head last = offered.put(term, entry.asHead());
        expect(
                last == null || last.height().isBelow(entry.height()) || last.equals(entry.asHead()),
                "INV-5",
                () -> "term " + term + " offers " + entry + " after it had offered " + last);
    }

    /** A duty let the entry's effects go, under this term. */
    void released(Term term, Entry entry) {
        committed(entry);
        released.add(entry.hash());
        expect(
                !entry.author().isAbove(term.epoch()),
                "INV-1",
                () -> "term " + term + " released " + entry + " of a higher epoch");
    }

    /**
     * Somebody claims to have evidence that this term's process is gone. It may live on and even take over late: then
     * only the epoch stops it, which is what the other rules are about.
     */
    void suspected(Term term) {
        suspected.add(term);
    }

    /** An engine's clock was set: from now on a lease may end early there, and terms may overlap like suspected ones. */
    void clockWasSet() {
        overlapExcused = true;
    }

    private boolean mayOverlap(Term term) {
        return overlapExcused || suspected.contains(term);
    }

    /** A duty took over. */
    void assumed(Term term, Head head) {
        Term other = terms.putIfAbsent(term.epoch(), term);
        expect(
                other == null || other.equals(term),
                "INV-2",
                () -> "two holders of one epoch: " + other + " and " + term);
        if (other == null) {
            Epoch before = topEpoch;
            boolean grows = term.epoch().isAbove(before);
            expect(
                    grows || mayOverlap(term),
                    "INV-1",
                    () -> "term " + term + " began after epoch " + before + " had begun");
            topEpoch = grows ? term.epoch() : before;
            began.put(term.epoch(), head.height());
        }
        Height committed = top;
        expect(
                !head.height().isBelow(committed) || mayOverlap(term),
                "INV-3",
                () -> "term " + term + " begins at " + head + ", but " + committed + " was committed");
    }

    /** INV-1: once a higher term has begun, nothing above its beginning is decided under a lower ballot any more. */
    void decidedUnder(Epoch ballot, Entry entry) {
        for (Map.Entry<Epoch, Term> higher : terms.tailMap(ballot, false).entrySet()) {
            Height beginning = began.getOrDefault(higher.getKey(), Height.ZERO);
            expect(
                    !entry.height().isAbove(beginning),
                    "INV-1",
                    () -> entry + " was committed under epoch " + ballot + " after " + higher.getValue()
                            + " had begun at " + beginning);
        }
    }

    /**
     * A duty works under this term. A lease ends at its holder before it ends at the engine, so nobody works any more
     * when the next one has taken over, unless that one acted on evidence.
     */
    void acted(Term term) {
        Epoch newest = topEpoch;
        expect(
                !newest.isAbove(term.epoch()) || mayOverlap(term),
                "INV-6",
                () -> "term " + term + " still works although epoch " + newest + " has taken over");
    }

    /** What the engine's ledger says when all is over; what lies below it was trimmed. */
    void ledger(List<Entry> entries, Height upTo) {
        Set<Hash> hashes = new HashSet<>();
        for (Entry entry : entries) {
            committed(entry);
            hashes.add(entry.hash());
        }
        Height oldest = entries.isEmpty() ? Height.FIRST : entries.getFirst().height();
        for (Entry seen : chain.values()) {
            boolean due = !seen.height().isBelow(oldest) && !seen.height().isAbove(upTo);
            expect(
                    !due || hashes.contains(seen.hash()),
                    "INV-3",
                    () -> seen + " was committed, but the ledger lost it");
        }
    }

    /**
     * A rule of the simulated world or of a duty in it. The run ends with the first one that is broken.
     *
     * @param rule its short name, such as {@code INV-3}
     * @param otherwise what to tell if it is broken
     */
    public void expect(boolean right, String rule, Supplier<String> otherwise) {
        if (!right) {
            violations.add(new Violation(rule, otherwise.get()));
        }
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    boolean isContent() {
        return violations.isEmpty();
    }

    /** The height of the newest committed entry. */
    public Height top() {
        return top;
    }

    int termsSeen() {
        return terms.size();
    }

    int releasedEntries() {
        return released.size();
    }
}
