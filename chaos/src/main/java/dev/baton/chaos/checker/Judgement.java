package dev.baton.chaos.checker;

import dev.baton.chaos.plan.FaultKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the judge says of a run.
 *
 * @param violations what was found, by time; of each rule only the first ones are kept
 * @param counts how often each rule was broken, those included that were not kept
 * @param doubts why nothing can be said, although nothing was found
 * @param commits how many heights were seen committed
 * @param faults how many faults were done
 * @param failovers how long each kind of fault kept clients waiting
 * @param pressure a figure only: no rule rests on it
 */
public record Judgement(
        Verdict verdict,
        List<Violation> violations,
        Map<Rule, Integer> counts,
        List<String> doubts,
        long commits,
        long faults,
        List<Outage> outages,
        Map<FaultKind, Spread> failovers,
        long longestGapNanos,
        Pressure pressure) {

    /** Only a PASS is a success. */
    public enum Verdict {
        PASS,
        /** A rule was broken, or too little got done. */
        FAIL,
        /** Nothing was found, and not enough happened to say that nothing is wrong. */
        UNKNOWN
    }

    public Judgement {
        violations = List.copyOf(violations);
        counts = counts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(counts));
        doubts = List.copyOf(doubts);
        outages = List.copyOf(outages);
        failovers = failovers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(failovers));
    }

    /** How often rules were broken, all in all. */
    public int violationCount() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
