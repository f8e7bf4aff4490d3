package dev.baton.cli.up;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds what the nodes publish against each other: one block per height, no height left out, each block on the one
 * before, epochs that never fall. It believes nobody. Thread-safe.
 */
final class ChainObserver {

    /** How many heights are remembered for a node that lags; older ones can no longer be compared. */
    private static final int MOST_REMEMBERED = 50_000;

    private static final int MOST_FINDINGS = 20;

    private final TreeMap<Long, SeenBlock> chain = new TreeMap<>();
    private final Map<String, Cursor> cursors = new HashMap<>();
    private final Set<Long> forkedHeights = new HashSet<>();
    private final Set<Long> brokenHeights = new HashSet<>();
    /** Who holds each epoch: whoever opened it. */
    private final Map<Long, String> holders = new HashMap<>();

    private final List<String> findings = new ArrayList<>();
    private long before;
    private long top;
    private long blocks;
    private boolean frozen;

    /** Where a node's stream stands. */
    private record Cursor(long next, Optional<String> parent) {}

    /** What was seen so far; {@code findings} says what is wrong in words. */
    record Blocks(long blocks, long forks, long gaps, long terms, List<String> findings) implements Tally {
        @Override
        public boolean passed() {
            return blocks > 0 && forks == 0 && gaps == 0;
        }

        @Override
        public Map<String, Long> counts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("blocks", blocks);
            counts.put("forks", forks);
            counts.put("gaps", gaps);
            counts.put("terms", terms);
            return counts;
        }
    }

    /** A node begins, or begins again, to be followed; {@code height} is what it had when first seen. */
    synchronized long follow(String node, long height) {
        if (!cursors.containsKey(node)) {
            cursors.put(node, new Cursor(height + 1, Optional.empty()));
            if (blocks == 0) {
                before = Math.max(before, height);
                top = Math.max(top, height);
            }
        }
        return nextOf(node);
    }

    synchronized long nextOf(String node) {
        return Optional.ofNullable(cursors.get(node)).map(Cursor::next).orElse(1L);
    }

    /** Takes note of a block in a node's stream; the block is returned if it is the first to be seen at a new height. */
    synchronized Optional<SeenBlock> seen(String node, SeenBlock block) {
        if (frozen && block.height() > top) {
            return Optional.empty();
        }
        Cursor cursor = Optional.ofNullable(cursors.get(node)).orElse(new Cursor(block.height(), Optional.empty()));
        compare(node, block);
        if (block.height() >= cursor.next()) {
            checkLink(node, block, cursor);
            cursors.put(node, new Cursor(block.height() + 1, Optional.of(block.hash())));
        }
        boolean isNew = block.height() > before && chain.putIfAbsent(block.height(), block) == null;
        if (!isNew) {
            return Optional.empty();
        }
        blocks++;
        top = Math.max(top, block.height());
        String maker = holders.merge(block.epoch(), block.node(), (known, told) -> known.isEmpty() ? told : known);
        forget();
        return Optional.of(block.madeBy(maker));
    }

    private void compare(String node, SeenBlock block) {
        SeenBlock known = chain.get(block.height());
        if (known != null && !known.hash().equals(block.hash())) {
            forked(
                    block.height(),
                    "two blocks at height " + block.height() + ": " + known.hash() + " and, at " + node + ", "
                            + block.hash());
        }
        Map.Entry<Long, SeenBlock> below = chain.lowerEntry(block.height());
        if (below != null && below.getValue().epoch() > block.epoch()) {
            forked(
                    block.height(),
                    "epoch " + block.epoch() + " at height " + block.height() + " after epoch "
                            + below.getValue().epoch() + " at height " + below.getKey());
        }
    }

    private void checkLink(String node, SeenBlock block, Cursor cursor) {
        if (block.height() != cursor.next()) {
            broken(block.height(), node + " goes from height " + (cursor.next() - 1) + " to " + block.height());
        } else if (cursor.parent().isPresent() && !cursor.parent().get().equals(block.parent())) {
            broken(
                    block.height(),
                    node + " has block " + block.height() + " on " + block.parent() + ", not on "
                            + cursor.parent().get());
        }
    }

    private void forked(long height, String what) {
        if (forkedHeights.add(height)) {
            note("fork: " + what);
        }
    }

    private void broken(long height, String what) {
        if (brokenHeights.add(height)) {
            note("gap: " + what);
        }
    }

    private void note(String finding) {
        if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
        }
    }

    private void forget() {
        long needed = cursors.values().stream().mapToLong(Cursor::next).min().orElse(0) - 2;
        while (chain.size() > MOST_REMEMBERED || (chain.size() > 2 && chain.firstKey() < needed)) {
            chain.pollFirstEntry();
        }
    }

    /** From now on no new height counts; nodes that lag may still show what they have of the others. */
    synchronized void freeze() {
        frozen = true;
    }

    /** Whether this node has shown every block that any node has. */
    synchronized boolean isLevel(String node) {
        return nextOf(node) > top;
    }

    synchronized long top() {
        return top;
    }

    synchronized Blocks tally() {
        return new Blocks(blocks, forkedHeights.size(), brokenHeights.size(), holders.size(), List.copyOf(findings));
    }
}
