package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Holding;
import dev.baton.chaos.history.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What must hold of the blocks among themselves: one per height, connected, under epochs that never fall. */
final class ChainRules {

    private final Account account;
    private final Chain chain;
    private final Findings findings;

    ChainRules(Account account, Chain chain, Findings findings) {
        this.account = account;
        this.chain = chain;
        this.findings = findings;
    }

    void check() {
        Map<Long, Chain.Sighting> holders = new HashMap<>();
        chain.byHeight().forEach((height, sightings) -> {
            Chain.Sighting first = sightings.get(0);
            for (Chain.Sighting other : sightings.subList(1, sightings.size())) {
                compare(height, first, other);
            }
            sightings.forEach(each -> {
                checkHolder(holders, each);
                checkParent(each);
            });
        });
        checkEpochs();
        account.stores().values().forEach(this::checkHoles);
    }

    private void compare(long height, Chain.Sighting first, Chain.Sighting other) {
        Held a = first.block();
        Held b = other.block();
        long at = Math.min(first.atNanos(), other.atNanos());
        String both = first.where() + " and " + other.where();
        if (!a.hash().equals(b.hash())) {
            String text = "two blocks at height " + height + ": " + a.hash() + " and " + b.hash() + " (" + both + ")";
            findings.add(Rule.ONE_BLOCK, at, text, List.of(), List.of(height));
        } else if (a.isListed() && b.isListed() && !a.transactions().equals(b.transactions())) {
            String text = "block " + height + " (" + a.hash() + ") has other transactions at " + both;
            findings.add(Rule.ONE_BLOCK, at, text, List.of(), List.of(height));
        }
        if (a.epoch() != b.epoch()) {
            String text = "height " + height + " was made under epoch " + a.epoch() + " and epoch " + b.epoch() + " ("
                    + both + ")";
            findings.add(Rule.ONE_PRODUCER, at, text, List.of(), List.of(height));
        }
    }

    private void checkHolder(Map<Long, Chain.Sighting> holders, Chain.Sighting sighting) {
        Held block = sighting.block();
        if (block.producer().isEmpty()) {
            return;
        }
        Chain.Sighting known = holders.putIfAbsent(block.epoch(), sighting);
        if (known != null && !known.block().producer().equals(block.producer())) {
            String text = "epoch " + block.epoch() + " has two producers: "
                    + known.block().producer() + " at height " + known.block().height() + " and " + block.producer()
                    + " at height " + block.height();
            findings.add(
                    Rule.ONE_PRODUCER,
                    Math.min(sighting.atNanos(), known.atNanos()),
                    text,
                    List.of(),
                    List.of(known.block().height(), block.height()));
        }
    }

    private void checkParent(Chain.Sighting sighting) {
        Held block = sighting.block();
        List<Chain.Sighting> below = chain.byHeight().get(block.height() - 1);
        if (block.parent().isEmpty() || below == null) {
            return;
        }
        if (below.stream().noneMatch(each -> each.block().hash().equals(block.parent()))) {
            String text = "block " + block.height() + " (" + block.hash() + ", " + sighting.where() + ") rests on "
                    + block.parent() + ", but block " + (block.height() - 1) + " is "
                    + below.get(0).block().hash();
            findings.add(
                    Rule.PARENTS, sighting.atNanos(), text, List.of(), List.of(block.height() - 1, block.height()));
        }
    }

    private void checkHoles(Holding store) {
        List<Held> blocks = store.blocks();
        for (int i = 1; i < blocks.size(); i++) {
            long below = blocks.get(i - 1).height();
            long above = blocks.get(i).height();
            if (above > below + 1) {
                String text = "the store of " + store.source() + " goes from height " + below + " to " + above;
                findings.add(Rule.PARENTS, store.readNanos(), text, List.of(), List.of(below, above));
            }
        }
    }

    /** An effect that somebody saw: at which height, under which epoch. */
    private record Effect(long epoch, long atNanos, String what, List<Long> ops) {}

    private void checkEpochs() {
        NavigableMap<Long, Effect> lowest = new TreeMap<>();
        Map<Long, Effect> highest = new HashMap<>();
        chain.byHeight()
                .forEach((height, sightings) -> sightings.forEach(each -> note(
                        lowest,
                        highest,
                        height,
                        new Effect(
                                each.block().epoch(),
                                each.atNanos(),
                                "block " + each.block().hash(),
                                List.of()))));
        for (Operation each : account.operations()) {
            if (each.answer() instanceof Answer.Issued issued) {
                Effect effect = new Effect(
                        issued.epoch(), each.answeredNanos(), "tokens from " + issued.start(), List.of(each.op()));
                note(lowest, highest, issued.height(), effect);
            }
        }
        Effect top = new Effect(Long.MIN_VALUE, 0, "", List.of());
        long topHeight = 0;
        for (Map.Entry<Long, Effect> entry : lowest.entrySet()) {
            long height = entry.getKey();
            Effect low = entry.getValue();
            if (low.epoch() < top.epoch()) {
                String text = "epoch " + low.epoch() + " at height " + height + " (" + low.what() + ") after epoch "
                        + top.epoch() + " at height " + topHeight + " (" + top.what() + ")";
                findings.add(Rule.HIGHEST_EPOCH, low.atNanos(), text, low.ops(), List.of(topHeight, height));
            }
            Effect high = highest.getOrDefault(height, low);
            if (high.epoch() > top.epoch()) {
                top = high;
                topHeight = height;
            }
        }
    }

    private static void note(Map<Long, Effect> lowest, Map<Long, Effect> highest, long height, Effect effect) {
        lowest.merge(height, effect, (a, b) -> b.epoch() < a.epoch() ? b : a);
        highest.merge(height, effect, (a, b) -> b.epoch() > a.epoch() ? b : a);
    }
}
