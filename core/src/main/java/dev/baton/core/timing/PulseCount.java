package dev.baton.core.timing;

/** Consecutive pulse results; at most one of the two numbers is not zero. */
public record PulseCount(int failures, int successes) {

    public static final PulseCount NONE = new PulseCount(0, 0);

    public PulseCount failed() {
        return new PulseCount(failures + 1, 0);
    }

    public PulseCount succeeded() {
        return new PulseCount(0, successes + 1);
    }

    @Override
    public String toString() {
        return "f=" + failures + " s=" + successes;
    }
}
