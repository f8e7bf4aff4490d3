package dev.baton.cli.tokens.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds tokens that were handed out twice (INV-12): ranges that share a token with one that begins no later.
 *
 * <p>Ranges of one step and one remainder share a token whenever they overlap, so that a single pass over them in order
 * of their starts is enough. A namespace has one step; only where a log says otherwise are ranges of different steps
 * compared pair by pair as well.
 */
final class Duplicates {

    private record Lane(long step, long remainder) {}

    private final RangeTable table;
    private final Findings findings = new Findings();
    private final Map<Lane, Integer> reachingFurthest = new HashMap<>();
    private final Set<Long> steps = new HashSet<>();

    private Duplicates(RangeTable table) {
        this.table = table;
    }

    static Findings in(RangeTable table) {
        return new Duplicates(table).found();
    }

    private Findings found() {
        int[] namespaces = table.byNamespace();
        int[] order = new RadixSort(table.size())
                .by(table::last)
                .by(table::start)
                .by(range -> namespaces[range])
                .order();
        for (int from = 0; from < order.length; ) {
            int to = from;
            reachingFurthest.clear();
            steps.clear();
            while (to < order.length && namespaces[order[to]] == namespaces[order[from]]) {
                steps.add(table.kind(order[to++]).step());
            }
            if (steps.size() == 1) {
                sweep(order, from, to);
            } else {
                compare(order, from, to);
            }
            from = to;
        }
        return findings;
    }

    private void sweep(int[] order, int from, int to) {
        for (int i = from; i < to; i++) {
            int range = order[i];
            long step = table.kind(range).step();
            Lane lane = new Lane(step, table.start(range) % step);
            Integer furthest = reachingFurthest.get(lane);
            if (furthest != null && table.last(furthest) >= table.start(range)) {
                tell(range, furthest);
            }
            if (furthest == null || table.last(range) > table.last(furthest)) {
                reachingFurthest.put(lane, range);
            }
        }
    }

    private void compare(int[] order, int from, int to) {
        List<Integer> open = new ArrayList<>();
        for (int i = from; i < to; i++) {
            int range = order[i];
            open.removeIf(other -> table.last(other) < table.start(range));
            Progression tokens = progression(range);
            open.stream()
                    .filter(other -> progression(other).meets(tokens))
                    .findFirst()
                    .ifPresent(other -> tell(range, other));
            open.add(range);
        }
    }

    private Progression progression(int range) {
        return new Progression(
                table.start(range), table.last(range), table.kind(range).step());
    }

    private void tell(int range, int other) {
        findings.add(() -> "handed out twice: " + Words.of(table, range) + " and " + Words.of(table, other));
    }
}
