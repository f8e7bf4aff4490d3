package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What clients were told about their transactions, held against the chain. */
final class TransactionRules {

    private final Account account;
    private final Chain chain;
    private final Findings findings;
    private long unverifiable;

    TransactionRules(Account account, Chain chain, Findings findings) {
        this.account = account;
        this.chain = chain;
        this.findings = findings;
    }

    void check() {
        Map<String, List<Chain.Place>> places = chain.places();
        Map<String, List<Operation>> byTransaction = new HashMap<>();
        for (Operation each : account.operations()) {
            if (each.request() instanceof Request.Submit submit) {
                byTransaction
                        .computeIfAbsent(submit.transaction(), t -> new ArrayList<>(1))
                        .add(each);
            }
        }
        places.forEach((transaction, where) -> checkOnce(transaction, where, byTransaction));
        byTransaction.forEach((transaction, operations) -> {
            List<Chain.Place> where = places.getOrDefault(transaction, List.of());
            checkAnswersAgree(transaction, operations);
            operations.forEach(each -> checkAnswer(transaction, each, where));
            checkRefused(transaction, operations, where);
        });
    }

    /** How many acknowledgements are older than what anybody still holds. */
    long unverifiable() {
        return unverifiable;
    }

    private void checkOnce(String transaction, List<Chain.Place> where, Map<String, List<Operation>> byTransaction) {
        if (where.size() > 1) {
            List<Operation> operations = byTransaction.getOrDefault(transaction, List.of());
            findings.add(
                    Rule.ONCE,
                    atNanosOf(where.get(1).height()),
                    "transaction " + transaction + " is in the chain " + where.size() + " times, at " + where,
                    operations.stream().map(Operation::op).toList(),
                    where.stream().map(Chain.Place::height).toList());
        }
    }

    private long atNanosOf(long height) {
        List<Chain.Sighting> sightings = chain.byHeight().get(height);
        return sightings == null ? account.lastNanos() : sightings.get(0).atNanos();
    }

    private void checkAnswersAgree(String transaction, List<Operation> operations) {
        Operation first = null;
        for (Operation each : operations) {
            if (!(each.answer() instanceof Answer.Included told)) {
                continue;
            }
            if (first != null
                    && first.answer() instanceof Answer.Included before
                    && (before.height() != told.height() || before.index() != told.index())) {
                findings.add(
                        Rule.ONCE,
                        each.answeredNanos(),
                        "transaction " + transaction + " was acknowledged at " + before.height() + "/" + before.index()
                                + " and at " + told.height() + "/" + told.index(),
                        List.of(first.op(), each.op()),
                        List.of(before.height(), told.height()));
            }
            first = first == null ? each : first;
        }
    }

    private void checkAnswer(String transaction, Operation operation, List<Chain.Place> where) {
        if (!(operation.answer() instanceof Answer.Included told)) {
            return;
        }
        Optional<Held> found = chain.at(told.height());
        if (found.isEmpty()) {
            missingBlock(transaction, operation, told);
            return;
        }
        Held block = found.get();
        if (!block.hash().equals(told.block())) {
            broken(
                    Rule.ONE_BLOCK,
                    operation,
                    told,
                    "client " + operation.client() + " was told block " + told.block() + " at height " + told.height()
                            + ", the stores hold " + block.hash());
        }
        if (!block.isListed()) {
            if (told.index() >= block.count()) {
                broken(
                        Rule.TRUE_ANSWER,
                        operation,
                        told,
                        "transaction " + transaction + " was acknowledged at " + told.height() + "/" + told.index()
                                + ", but that block has " + block.count());
            }
        } else if (where.isEmpty()) {
            broken(
                    Rule.ACKNOWLEDGED,
                    operation,
                    told,
                    "transaction " + transaction + " was acknowledged at " + told.height() + "/" + told.index()
                            + " and is nowhere in the chain");
        } else if (!where.contains(new Chain.Place(told.height(), told.index()))) {
            broken(
                    Rule.TRUE_ANSWER,
                    operation,
                    told,
                    "transaction " + transaction + " was acknowledged at " + told.height() + "/" + told.index()
                            + ", but is at " + where);
        }
    }

    private void missingBlock(String transaction, Operation operation, Answer.Included told) {
        if (chain.lowestStored().isEmpty()
                || told.height() < chain.lowestStored().get()) {
            unverifiable++;
            return;
        }
        broken(
                Rule.ACKNOWLEDGED,
                operation,
                told,
                "transaction " + transaction + " was acknowledged at " + told.height() + "/" + told.index()
                        + ", but no store holds that height");
    }

    private void broken(Rule rule, Operation operation, Answer.Included told, String text) {
        findings.add(rule, operation.answeredNanos(), text, List.of(operation.op()), List.of(told.height()));
    }

    private void checkRefused(String transaction, List<Operation> operations, List<Chain.Place> where) {
        boolean refused = operations.stream().allMatch(each -> each.answer().outcome() == Answer.Outcome.REFUSED);
        if (refused && !where.isEmpty()) {
            Operation first = operations.get(0);
            findings.add(
                    Rule.REFUSED,
                    first.answeredNanos(),
                    "transaction " + transaction + " was refused (" + first.answer() + "), but is at " + where,
                    operations.stream().map(Operation::op).toList(),
                    where.stream().map(Chain.Place::height).toList());
        }
    }
}
