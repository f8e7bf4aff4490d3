package dev.baton.cli.tokens.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges ranges of tokens: that none was handed out twice, that they came in order, and that the ledger covers them.
 *
 * <p>Takes ranges in any order and from any number of logs; time grows with {@code n log n} at most, and ten million
 * ranges fit into a gigabyte. Not thread-safe.
 */
public final class Verifier {

    private final RangeTable table = new RangeTable();
    private final Findings unreadable = new Findings();
    private final List<String> doubts = new ArrayList<>();

    public void add(HandedRange range) {
        table.add(range);
    }

    /** A line that could not be read: what it said is not judged, so that the whole cannot pass. */
    public void addUnreadable(String why) {
        unreadable.add(() -> why);
    }

    /** Why something else could not be judged. */
    public void addDoubt(String why) {
        doubts.add(why);
    }

    /** The highest ledger entry that a range is committed in: a ledger that covers them all is known up to there. */
    public long highest() {
        return table.highest();
    }

    public Set<String> namespaces() {
        return table.namespaces();
    }

    /**
     * @param ledger what the cluster says, if it was asked after the last range had been handed out
     */
    public Verdict judge(Optional<Ledger> ledger) {
        long tokens = 0;
        for (int range = 0; range < table.size(); range++) {
            tokens = Math.addExact(tokens, table.tokens(range));
        }
        Findings duplicates = Duplicates.in(table);
        Findings order = new Findings();
        Findings leasedOrder = new Findings();
        Precedence.check(
                table,
                table.byOrderedGroup(),
                table::start,
                true,
                (request, before) -> (table.kind(request).leased() ? leasedOrder : order)
                        .add(() -> "out of order: " + Words.of(table, request) + " was sent "
                                + (table.sentNanos(request) - table.receivedNanos(before)) + " ns after "
                                + Words.of(table, before) + " had been answered"));
        Findings revisions = new Findings();
        Precedence.check(
                table,
                table.byCaller(),
                range -> table.term(range).revision(),
                false,
                (request, before) -> revisions.add(() ->
                        "revision went back: " + table.term(request).revision() + " of " + Words.of(table, request)
                                + " after " + table.term(before).revision() + " of " + Words.of(table, before)));
        Findings uncovered = ledger.map(this::uncovered).orElseGet(Findings::new);
        List<String> examples = new ArrayList<>(duplicates.examples());
        examples.addAll(order.examples());
        examples.addAll(leasedOrder.examples());
        examples.addAll(revisions.examples());
        examples.addAll(uncovered.examples());
        return new Verdict(
                table.size(),
                tokens,
                duplicates.count(),
                order.count(),
                leasedOrder.count(),
                revisions.count(),
                uncovered.count(),
                examples,
                doubts(ledger));
    }

    private Findings uncovered(Ledger ledger) {
        Findings findings = new Findings();
        if (ledger.height() < table.highest()) {
            return findings; // It does not know yet what it would have to cover; see doubts.
        }
        for (int range = 0; range < table.size(); range++) {
            Ledger.Coverage coverage = ledger.namespaces().get(table.kind(range).namespace());
            if (coverage == null
                    || !coverage.covers(
                            table.start(range),
                            table.last(range),
                            table.term(range).epoch())) {
                int number = range;
                findings.add(() -> "not in the ledger: " + Words.of(table, number)
                        + (coverage == null ? "; it knows no such namespace" : ""));
            }
        }
        return findings;
    }

    private List<String> doubts(Optional<Ledger> ledger) {
        List<String> all = new ArrayList<>(doubts);
        if (table.size() == 0) {
            all.add("no range was read");
        }
        if (unreadable.count() > 0) {
            all.add(unreadable.count() + " lines cannot be read: " + String.join("; ", unreadable.examples()));
        }
        ledger.filter(known -> known.height() < table.highest())
                .ifPresent(known -> all.add("the ledger is known only up to height " + known.height()
                        + " (expected: " + table.highest() + " or more, where the last range is committed; ask a node"
                        + " that is up to date)"));
        return all;
    }
}
