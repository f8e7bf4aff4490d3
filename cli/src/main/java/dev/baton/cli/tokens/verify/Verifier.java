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
        Accounts accounts = ledger.map(this::accounts).orElseGet(Accounts::new);
        List<String> examples = new ArrayList<>(duplicates.examples());
        examples.addAll(order.examples());
        examples.addAll(leasedOrder.examples());
        examples.addAll(revisions.examples());
        examples.addAll(accounts.missing.examples());
        return new Verdict(
                table.size(),
                tokens,
                duplicates.count(),
                order.count(),
                leasedOrder.count(),
                revisions.count(),
                accounts.missing.count(),
                accounts.forgotten.count(),
                examples,
                doubts(ledger, accounts.forgotten));
    }

    /** What the ledger says of the ranges, but for those that it covers. */
    private static final class Accounts {
        private final Findings missing = new Findings();
        private final Findings forgotten = new Findings();
    }

    private Accounts accounts(Ledger ledger) {
        Accounts accounts = new Accounts();
        if (ledger.height() < table.highest()) {
            return accounts; // It does not know yet what it would have to cover; see doubts.
        }
        for (int range = 0; range < table.size(); range++) {
            int number = range;
            Ledger.Coverage coverage = ledger.namespaces().get(table.kind(range).namespace());
            if (coverage == null) {
                accounts.missing.add(
                        () -> "not in the ledger: " + Words.of(table, number) + "; it knows no such namespace");
                continue;
            }
            switch (coverage.of(
                    table.start(range), table.last(range), table.term(range).epoch())) {
                case COVERED -> {}
                case MISSING -> accounts.missing.add(() -> "not in the ledger: " + Words.of(table, number));
                case FORGOTTEN ->
                    accounts.forgotten.add(
                            () -> Words.of(table, number) + ", remembered from " + coverage.rememberedFrom() + " on");
            }
        }
        return accounts;
    }

    private List<String> doubts(Optional<Ledger> ledger, Findings forgotten) {
        List<String> all = new ArrayList<>(doubts);
        if (table.size() == 0) {
            all.add("no range was read");
        }
        if (unreadable.count() > 0) {
            all.add(unreadable.count() + " lines cannot be read: " + String.join("; ", unreadable.examples()));
        }
        if (forgotten.count() > 0) {
            all.add(forgotten.count() + " of " + table.size()
                    + " ranges are older than what the ledger remembers, which is the last terms of each namespace: "
                    + String.join("; ", forgotten.examples()));
        }
        ledger.filter(known -> known.height() < table.highest())
                .ifPresent(known -> all.add("the ledger is known only up to height " + known.height()
                        + " (expected: " + table.highest() + " or more, where the last range is committed; ask a node"
                        + " that is up to date)"));
        return all;
    }
}
