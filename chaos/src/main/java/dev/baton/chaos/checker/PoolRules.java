package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.PoolRecord;
import dev.baton.chaos.history.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a pool was given against what it tells at the end: nothing is lost, and everything ends once. */
final class PoolRules {

    /** The end of one that blocks confirmed. */
    private static final String FINAL = "FINALIZED";

    private static final Set<String> ENDS = Set.of(FINAL, "DROPPED");

    private final Account account;
    private final Chain chain;
    private final Findings findings;

    PoolRules(Account account, Chain chain, Findings findings) {
        this.account = account;
        this.chain = chain;
        this.findings = findings;
    }

    void check() {
        if (account.pools().isEmpty()) {
            return; // a doubt, unless nobody offered anything
        }
        Map<String, PoolRecord> kept = new HashMap<>();
        for (Event.FinalPool pool : account.pools()) {
            for (PoolRecord each : pool.records()) {
                kept.put(each.transaction(), each);
            }
        }
        Map<String, Long> ops = new HashMap<>();
        for (Operation each : account.operations()) {
            if (each.request() instanceof Request.Offer offer) {
                ops.put(offer.transaction(), each.op());
                if (each.isOk() && !kept.containsKey(offer.transaction())) {
                    findings.add(
                            Rule.ACKNOWLEDGED,
                            each.answeredNanos(),
                            "the pool took transaction " + offer.transaction() + " and knows nothing of it at the end",
                            List.of(each.op()),
                            List.of());
                }
            }
        }
        long readNanos = account.pools().getFirst().atNanos();
        Set<String> inChain = new HashSet<>(chain.places().keySet());
        kept.values().forEach(each -> checkEnd(each, inChain, ops, readNanos));
    }

    private void checkEnd(PoolRecord record, Set<String> inChain, Map<String, Long> ops, long readNanos) {
        List<Long> op =
                Optional.ofNullable(ops.get(record.transaction())).map(List::of).orElse(List.of());
        String name = "transaction " + record.transaction();
        if (record.lists().size() != 1) {
            findings.add(
                    Rule.ONE_END,
                    readNanos,
                    name + " is in the pool's lists " + record.lists() + " (expected: in one)",
                    op,
                    List.of());
            return;
        }
        String stage = record.lists().getFirst();
        if (!ENDS.contains(stage)) {
            findings.add(
                    Rule.ONE_END,
                    readNanos,
                    name + " is still " + stage + " (expected: at its end, long after the last fault)",
                    op,
                    List.of());
        } else if (stage.equals(FINAL) && !inChain.contains(record.transaction())) {
            findings.add(
                    Rule.ONE_END,
                    readNanos,
                    name + " is final in the pool and in no block of any store",
                    op,
                    List.of());
        }
        long ends = record.stages().stream().filter(ENDS::contains).count();
        boolean goesOn = ends > 0 && !ENDS.contains(record.stages().getLast());
        if (ends > 1 || goesOn) {
            findings.add(
                    Rule.ONE_END,
                    readNanos,
                    name + " went through " + record.stages() + " (expected: one end, and nothing after it)",
                    op,
                    List.of());
        }
    }
}
