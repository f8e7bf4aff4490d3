package dev.baton.chaos.checker;

import dev.baton.chaos.history.FaultSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects what the rules find. All is counted; of each rule so many are kept, because one bug can break every block. */
final class Findings {

    static final int KEPT_PER_RULE = 25;

    /** A fault shows after it is over: a process that wakes up, a queue that drains. */
    private static final long AFTERMATH_NANOS = 2_000_000_000L;

    private final List<FaultSpan> faults;
    private final List<Violation> kept = new ArrayList<>();
    private final Map<Rule, Integer> counts = new EnumMap<>(Rule.class);

    Findings(List<FaultSpan> faults) {
        this.faults = faults;
    }

    void add(Rule rule, long atNanos, String text, List<Long> ops, List<Long> heights) {
        if (counts.merge(rule, 1, Integer::sum) > KEPT_PER_RULE) {
            return;
        }
        List<Integer> inForce = faults.stream()
                .filter(each -> each.touches(atNanos - AFTERMATH_NANOS, atNanos))
                .map(FaultSpan::id)
                .toList();
        kept.add(new Violation(rule, text, atNanos, ops, heights, inForce));
    }

    /** Those that were kept, by time. */
    List<Violation> violations() {
        return kept.stream()
                .sorted(Comparator.comparingLong(Violation::atNanos).thenComparing(Violation::rule))
                .toList();
    }

    Map<Rule, Integer> counts() {
        return counts;
    }
}
