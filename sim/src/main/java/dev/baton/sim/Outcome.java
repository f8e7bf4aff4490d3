package dev.baton.sim;

import java.util.List;

/**
 * What came of one seed.
 *
 * @param engine what the nodes ran on: with the seed it tells which world this was
 * @param transcript what happened; empty if nobody wanted it and no rule was broken
 */
public record Outcome(
        Engine.Kind engine,
        long seed,
        List<Judge.Violation> violations,
        long committed,
        int terms,
        int faults,
        long happenings,
        List<String> transcript) {

    public boolean passed() {
        return violations.isEmpty();
    }
}
