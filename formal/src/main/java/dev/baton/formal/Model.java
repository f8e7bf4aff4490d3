package dev.baton.formal;

/**
 * One thing that TLC is asked: a module with the bounds in {@code <name>.cfg}, and the answer that we expect.
 *
 * @param shows what the expected answer tells, in one sentence
 */
public record Model(String name, String module, Expectation expectation, Search search, String shows) {

    /** What TLC must find. */
    public enum Expectation {
        /** Every state that was looked at keeps the rules. */
        HOLDS,
        /** A rule is switched off, and a state that breaks an invariant is found. */
        VIOLATES
    }

    /** How TLC looks. */
    public sealed interface Search {

        /** Every reachable state, breadth first. A counterexample is a shortest one. */
        record Exhaustive() implements Search {}

        /** Random walks from the seed; the same seed gives the same walks. */
        record Walks(long count, int depth, long seed) implements Search {}
    }

    String configuration() {
        return name + ".cfg";
    }

    boolean mustHold() {
        return expectation == Expectation.HOLDS;
    }
}
