package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must hold of tokens: each issued once, and revisions that a caller never sees fall. */
final class TokenRules {

    private final Account account;
    private final Findings findings;

    TokenRules(Account account, Findings findings) {
        this.account = account;
        this.findings = findings;
    }

    /** Tokens that a client was given. */
    record Issue(Operation operation, String namespace, boolean strict, Answer.Issued range) {}

    static List<Issue> issues(Account account) {
        List<Issue> issues = new ArrayList<>();
        for (Operation each : account.operations()) {
            if (each.request() instanceof Request.Next next && each.answer() instanceof Answer.Issued issued) {
                issues.add(new Issue(each, next.namespace(), next.isStrict(), issued));
            }
        }
        return issues;
    }

    void check() {
        Map<String, List<Issue>> byNamespace = new TreeMap<>();
        Map<String, List<Issue>> byCaller = new TreeMap<>();
        for (Issue each : issues(account)) {
            Answer.Issued range = each.range();
            if (range.step() < 1 || range.end() < range.start()) {
                String text = "tokens from " + range.start() + " to " + range.end() + " by " + range.step()
                        + " (expected: a range upward)";
                findings.add(
                        Rule.TRUE_ANSWER,
                        each.operation().answeredNanos(),
                        text,
                        List.of(each.operation().op()),
                        List.of(range.height()));
                continue;
            }
            byNamespace
                    .computeIfAbsent(each.namespace(), n -> new ArrayList<>())
                    .add(each);
            byCaller.computeIfAbsent(each.operation().client() + "\n" + each.namespace(), c -> new ArrayList<>())
                    .add(each);
        }
        byNamespace.values().forEach(this::checkUnique);
        byCaller.values().forEach(this::checkRevisions);
    }

    /** Along the numbers: only ranges that are still open where the next begins can share a token with it. */
    private void checkUnique(List<Issue> issues) {
        List<Issue> sorted = new ArrayList<>(issues);
        sorted.sort(Comparator.comparingLong(each -> each.range().start()));
        List<Issue> open = new ArrayList<>();
        for (Issue each : sorted) {
            for (Iterator<Issue> others = open.iterator(); others.hasNext(); ) {
                Issue other = others.next();
                if (other.range().end() < each.range().start()) {
                    others.remove();
                } else {
                    Progressions.firstCommon(other.range(), each.range()).ifPresent(token -> twice(token, other, each));
                }
            }
            // More than this many open ranges share so much that one of them was reported long ago.
            if (open.size() < 1_000) {
                open.add(each);
            }
        }
    }

    private void twice(long token, Issue one, Issue other) {
        String text = "token " + token + " of " + one.namespace() + " was issued to "
                + one.operation().client() + " (epoch " + one.range().epoch() + ") and to "
                + other.operation().client() + " (epoch " + other.range().epoch() + ")";
        findings.add(
                Rule.UNIQUE_TOKENS,
                Math.max(one.operation().answeredNanos(), other.operation().answeredNanos()),
                text,
                List.of(one.operation().op(), other.operation().op()),
                List.of(one.range().height(), other.range().height()));
    }

    private void checkRevisions(List<Issue> issues) {
        new RealTime<Issue>(Issue::operation, each -> each.range().revision())
                .contradictions(issues, (before, after) -> after >= before)
                .forEach(pair -> findings.add(
                        Rule.REVISION,
                        pair.later().operation().answeredNanos(),
                        "caller " + pair.later().operation().client() + " saw revision "
                                + pair.earlier().range().revision() + " of "
                                + pair.later().namespace() + " and then "
                                + pair.later().range().revision(),
                        List.of(
                                pair.earlier().operation().op(),
                                pair.later().operation().op()),
                        List.of()));
    }
}
