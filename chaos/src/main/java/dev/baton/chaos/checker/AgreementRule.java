package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Holding;
import dev.baton.chaos.history.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** At the end everybody holds the same, and nobody is left behind. */
final class AgreementRule {

    private final Account account;
    private final Chain chain;
    private final Commits commits;
    private final Bounds bounds;
    private final Findings findings;

    AgreementRule(Account account, Chain chain, Commits commits, Bounds bounds, Findings findings) {
        this.account = account;
        this.chain = chain;
        this.commits = commits;
        this.bounds = bounds;
        this.findings = findings;
    }

    void check() {
        if (!account.stores().isEmpty()) {
            List<String> nodes = account.setting().map(Setting::nodes).orElse(List.of());
            nodes.stream()
                    .filter(node -> !account.stores().containsKey(node))
                    .forEach(node -> findings.add(
                            Rule.AGREEMENT,
                            account.lastNanos(),
                            node + " did not show its store at the end, others did",
                            List.of(),
                            List.of()));
        }
        if (account.stores().isEmpty()) {
            checkAmongEachOther();
        }
        account.stores().values().forEach(store -> checkLevel("the store of " + store.source(), store));
        account.ledgers().values().forEach(ledger -> {
            checkSame(ledger);
            checkLevel("the ledger of " + ledger.source(), ledger);
        });
    }

    private void checkSame(Holding ledger) {
        for (Held held : ledger.blocks()) {
            Optional<Held> block = chain.at(held.height());
            if (block.isPresent() && !block.get().hash().equals(held.hash())) {
                String text = "the ledger of " + ledger.source() + " holds " + held.hash() + " at height "
                        + held.height() + ", the stores hold " + block.get().hash();
                findings.add(Rule.AGREEMENT, ledger.readNanos(), text, List.of(), List.of(held.height()));
            }
        }
    }

    /**
     * Where no store says what is committed, the servers are held against each other: up to the highest height that a
     * client was told of, or where a majority holds the same. Whatever lies above is not committed for certain.
     */
    private void checkAmongEachOther() {
        long committed = Math.max(commits.highestBefore(Long.MAX_VALUE), headOfAMajority());
        Map<Long, Held> first = new HashMap<>();
        for (Holding ledger : account.ledgers().values()) {
            for (Held held : ledger.blocks()) {
                Held other = first.putIfAbsent(held.height(), held);
                if (other != null && held.height() <= committed && !other.hash().equals(held.hash())) {
                    String text = "the ledger of " + ledger.source() + " holds " + held.hash() + " at height "
                            + held.height() + ", another one holds " + other.hash();
                    findings.add(Rule.AGREEMENT, ledger.readNanos(), text, List.of(), List.of(held.height()));
                }
            }
        }
    }

    /** The highest height at which more than half of the servers hold the same; 0 if there is none. */
    private long headOfAMajority() {
        int servers = account.setting().map(Setting::engines).orElse(List.of()).size();
        Map<Held, Integer> holders = new HashMap<>();
        long head = 0;
        for (Holding ledger : account.ledgers().values()) {
            for (Held held : ledger.blocks()) {
                if (holders.merge(held, 1, Integer::sum) * 2 > servers) {
                    head = Math.max(head, held.height());
                }
            }
        }
        return head;
    }

    private void checkLevel(String name, Holding holding) {
        long tip = holding.blocks().isEmpty()
                ? 0
                : holding.blocks().get(holding.blocks().size() - 1).height();
        long due = commits.highestBefore(holding.readNanos() - bounds.level().toNanos());
        if (tip < due) {
            String text = name + " ends at height " + tip + ", but height " + due + " had been committed "
                    + bounds.level().toMillis() + " ms before it was read";
            findings.add(Rule.AGREEMENT, holding.readNanos(), text, List.of(), List.of(tip, due));
        }
    }
}
