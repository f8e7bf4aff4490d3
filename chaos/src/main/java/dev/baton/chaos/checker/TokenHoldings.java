package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Holding;
import dev.baton.chaos.history.Reserved;
import dev.baton.chaos.history.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What clients were given against what nodes and engine servers hold at the end, in a run of tokens. */
final class TokenHoldings {

    private final Account account;
    private final Findings findings;

    TokenHoldings(Account account, Findings findings) {
        this.account = account;
        this.findings = findings;
    }

    void check() {
        Map<String, Map<String, Event.FinalTokens>> byNamespace = new TreeMap<>();
        account.tokens()
                .forEach(each -> byNamespace
                        .computeIfAbsent(each.namespace(), namespace -> new TreeMap<>())
                        .put(each.source(), each));
        List<String> nodes = account.setting().map(Setting::nodes).orElse(List.of());
        byNamespace.forEach((namespace, bySource) -> {
            Event.FinalTokens first = bySource.values().iterator().next();
            bySource.values().forEach(each -> checkSame(first, each));
            nodes.stream()
                    .filter(node -> !bySource.containsKey(node))
                    .forEach(node -> add(
                            first.atNanos(),
                            node + " did not show where the tokens of " + namespace + " went, others did"));
            checkRanges(first);
        });
        List<TokenRules.Issue> issues = TokenRules.issues(account);
        issues.forEach(issue -> checkKept(issue, byNamespace.getOrDefault(issue.namespace(), Map.of())));
        checkLedgers(issues);
    }

    private void checkSame(Event.FinalTokens one, Event.FinalTokens other) {
        if (!isOneHistory(one.ranges(), other.ranges())) {
            add(
                    other.atNanos(),
                    "of " + one.namespace() + " " + one.source() + " holds " + one.ranges() + ", " + other.source()
                            + " holds " + other.ranges());
        }
    }

    /**
     * Nodes are read one after the other, and what a client has given up may be reserved between two readings: so one may
     * know more, but nothing else.
     */
    private static boolean isOneHistory(List<Reserved> one, List<Reserved> other) {
        int common = Math.min(one.size(), other.size());
        for (int i = 0; i < common; i++) {
            Reserved here = one.get(i);
            Reserved there = other.get(i);
            boolean growing = i == common - 1;
            boolean same = growing
                    ? here.epoch() == there.epoch()
                            && here.first() == there.first()
                            && here.firstHeight() == there.firstHeight()
                    : here.equals(there);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private void add(long atNanos, String text) {
        findings.add(Rule.AGREEMENT, atNanos, text, List.of(), List.of());
    }

    /** Terms follow each other, and so do what they reserved. */
    private void checkRanges(Event.FinalTokens held) {
        for (int i = 1; i < held.ranges().size(); i++) {
            Reserved before = held.ranges().get(i - 1);
            Reserved after = held.ranges().get(i);
            if (after.first() < before.end() || after.epoch() <= before.epoch()) {
                findings.add(
                        Rule.UNIQUE_TOKENS,
                        held.atNanos(),
                        held.source() + " holds of " + held.namespace() + " " + after + " after " + before
                                + " (expected: a higher epoch and higher tokens)",
                        List.of(),
                        List.of(before.lastHeight(), after.firstHeight()));
            }
        }
    }

    private void checkKept(TokenRules.Issue issue, Map<String, Event.FinalTokens> bySource) {
        Answer.Issued range = issue.range();
        for (Event.FinalTokens held : bySource.values()) {
            boolean forgotten = range.start() < held.rememberedFrom();
            if (!forgotten && held.ranges().stream().noneMatch(each -> each.covers(range))) {
                findings.add(
                        Rule.ACKNOWLEDGED,
                        issue.operation().answeredNanos(),
                        "tokens " + range.start() + " to " + range.end() + " of " + issue.namespace()
                                + " were given out in epoch " + range.epoch() + ", but " + held.source()
                                + " does not hold that this term reserved them",
                        List.of(issue.operation().op()),
                        List.of(range.height()));
                return; // once is enough
            }
        }
    }

    /** An entry that a client was told of is committed: every server that still has its height holds the same. */
    private void checkLedgers(List<TokenRules.Issue> issues) {
        for (Holding ledger : account.ledgers().values()) {
            Map<Long, Held> byHeight = new HashMap<>();
            ledger.blocks().forEach(each -> byHeight.put(each.height(), each));
            for (TokenRules.Issue issue : issues) {
                Held held = byHeight.get(issue.range().height());
                if (held != null && held.epoch() != issue.range().epoch()) {
                    findings.add(
                            Rule.AGREEMENT,
                            ledger.readNanos(),
                            "the ledger of " + ledger.source() + " holds an entry of epoch " + held.epoch()
                                    + " at height " + held.height() + ", a client was told of one of epoch "
                                    + issue.range().epoch(),
                            List.of(issue.operation().op()),
                            List.of(held.height()));
                }
            }
        }
    }
}
