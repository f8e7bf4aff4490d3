package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sequencers under a seat: no block is lost that was said to be in the ledger, and never two of them make blocks. */
final class HeadRules {

    private final Account account;
    private final Chain chain;
    private final Findings findings;

    HeadRules(Account account, Chain chain, Findings findings) {
        this.account = account;
        this.chain = chain;
        this.findings = findings;
    }

    void check() {
        List<Operation> made = new ArrayList<>();
        for (Operation each : account.operations()) {
            if (each.answer() instanceof Answer.Recorded recorded) {
                checkKept(each, recorded);
            } else if (each.answer() instanceof Answer.Made) {
                made.add(each);
            }
        }
        checkOnePerEpoch(made);
        checkNoneOfAnOlderEpoch(made);
    }

    private void checkKept(Operation operation, Answer.Recorded told) {
        Optional<Held> found = chain.at(told.number());
        String block = "block " + told.number() + " (" + told.block() + ", epoch " + told.epoch()
                + ") is in the ledger, as the sequencer of " + told.server() + " said";
        if (found.isPresent() && !found.get().hash().equals(told.block())) {
            findings.add(
                    Rule.ONE_BLOCK,
                    operation.answeredNanos(),
                    block + ", the stores hold " + found.get().hash(),
                    List.of(operation.op()),
                    List.of(told.number()));
        } else if (found.isEmpty() && chain.lowestStored().isPresent()) {
            findings.add(
                    Rule.ACKNOWLEDGED,
                    operation.answeredNanos(),
                    block + ", but no store holds that number",
                    List.of(operation.op()),
                    List.of(told.number()));
        }
    }

    private void checkOnePerEpoch(List<Operation> made) {
        Map<Long, Operation> first = new HashMap<>();
        for (Operation each : made) {
            Operation other = first.putIfAbsent(of(each).epoch(), each);
            if (other != null && !of(other).server().equals(of(each).server())) {
                findings.add(
                        Rule.ONE_PRODUCER,
                        each.answeredNanos(),
                        "in epoch " + of(each).epoch() + " the sequencers of both "
                                + of(other).server() + " and " + of(each).server() + " made blocks",
                        List.of(other.op(), each.op()),
                        List.of(of(other).number(), of(each).number()));
            }
        }
    }

    /** Whoever makes blocks under a term must have stopped before another one works under a higher one. */
    private void checkNoneOfAnOlderEpoch(List<Operation> made) {
        new RealTime<Operation>(each -> each, each -> of(each).epoch())
                .contradictions(made, (before, after) -> after >= before)
                .forEach(pair -> findings.add(
                        Rule.HIGHEST_EPOCH,
                        pair.later().answeredNanos(),
                        "the sequencer of " + of(pair.later()).server() + " made block "
                                + of(pair.later()).number() + " in epoch "
                                + of(pair.later()).epoch() + " after that of "
                                + of(pair.earlier()).server() + " had made one in epoch "
                                + of(pair.earlier()).epoch(),
                        List.of(pair.earlier().op(), pair.later().op()),
                        List.of(of(pair.earlier()).number(), of(pair.later()).number())));
    }

    /** What such an operation was told; only those are asked about. */
    private static Answer.Made of(Operation operation) {
        return (Answer.Made) operation.answer();
    }
}
