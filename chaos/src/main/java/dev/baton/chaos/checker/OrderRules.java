package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Strict order by real time: of tokens, and of the blocks that transactions come into. */
final class OrderRules {

    private final Account account;
    private final Findings findings;

    OrderRules(Account account, Findings findings) {
        this.account = account;
        this.findings = findings;
    }

    void check() {
        Map<String, List<TokenRules.Issue>> strict = new TreeMap<>();
        for (TokenRules.Issue each : TokenRules.issues(account)) {
            if (each.strict()) {
                strict.computeIfAbsent(each.namespace(), n -> new ArrayList<>()).add(each);
            }
        }
        strict.values().forEach(this::checkTokens);
        checkTransactions();
    }

    private void checkTokens(List<TokenRules.Issue> issues) {
        new RealTime<TokenRules.Issue>(
                        TokenRules.Issue::operation, each -> each.range().end())
                .contradictions(issues, each -> each.range().start(), (before, after) -> after > before)
                .forEach(pair -> findings.add(
                        Rule.REAL_TIME,
                        pair.later().operation().answeredNanos(),
                        "token " + pair.earlier().range().end() + " of "
                                + pair.earlier().namespace() + " was answered before token "
                                + pair.later().range().start() + " was asked for",
                        List.of(
                                pair.earlier().operation().op(),
                                pair.later().operation().op()),
                        List.of(
                                pair.earlier().range().height(),
                                pair.later().range().height())));
    }

    /** A transaction that was first sent after a block was acknowledged cannot be in that block, or below it. */
    private void checkTransactions() {
        Map<String, Long> firstSent = new HashMap<>();
        List<Operation> included = new ArrayList<>();
        for (Operation each : account.operations()) {
            if (each.request() instanceof Request.Submit submit) {
                firstSent.merge(submit.transaction(), each.invokedNanos(), Math::min);
                if (each.answer() instanceof Answer.Included) {
                    included.add(each);
                }
            }
        }
        List<Operation> fromFirstSending = included.stream()
                .map(each -> new Operation(
                        each.op(),
                        each.client(),
                        each.node(),
                        each.request(),
                        firstSent.getOrDefault(((Request.Submit) each.request()).transaction(), each.invokedNanos()),
                        each.answeredNanos(),
                        each.answer()))
                .toList();
        new RealTime<Operation>(each -> each, OrderRules::heightOf)
                .contradictions(fromFirstSending, (before, after) -> after > before)
                .forEach(pair -> findings.add(
                        Rule.REAL_TIME,
                        pair.later().answeredNanos(),
                        "operation " + pair.later().op() + " was first sent after height " + heightOf(pair.earlier())
                                + " had been acknowledged (operation "
                                + pair.earlier().op() + "), and came into height " + heightOf(pair.later()),
                        List.of(pair.earlier().op(), pair.later().op()),
                        List.of(heightOf(pair.earlier()), heightOf(pair.later()))));
    }

    private static long heightOf(Operation operation) {
        return operation.answer() instanceof Answer.Included included ? included.height() : 0;
    }
}
