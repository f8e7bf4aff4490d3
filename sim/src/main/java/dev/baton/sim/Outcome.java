package dev.baton.sim;

import java.util.List;

/** What came of one seed. */
public record Outcome(
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
