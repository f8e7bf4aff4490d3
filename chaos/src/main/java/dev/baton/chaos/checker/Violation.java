package dev.baton.chaos.checker;

import java.util.List;

/**
 * A rule that was broken, with what one needs to look into it.
 *
 * @param text what was found, with the values
 * @param atNanos when it showed, as near as can be told
 * @param ops the operations involved
 * @param heights the heights involved
 * @param faults the faults in force then, or shortly before
 */
public record Violation(
        Rule rule, String text, long atNanos, List<Long> ops, List<Long> heights, List<Integer> faults) {

    public Violation {
        ops = List.copyOf(ops);
        heights = List.copyOf(heights);
        faults = List.copyOf(faults);
    }
}
