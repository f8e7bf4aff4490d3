package dev.baton.core;

/**
 * The number of a term; a higher epoch fences every lower one.
 *
 * <p>Epochs stay below 2^53 because Redis scripts and JSON readers compare doubles. They are comparable only within
 * one {@link SeatId}.
 */
public record Epoch(long value) implements Comparable<Epoch> {

    /** The greatest epoch that a double still tells apart from its neighbours. */
    public static final long MAX_VALUE = (1L << 53) - 1;

    /** The epoch before the first term. No term ever has it. */
    public static final Epoch NONE = new Epoch(0);

    public Epoch {
        if (value < 0 || value > MAX_VALUE) {
            throw new IllegalArgumentException("epoch: " + value + " (expected: 0 to " + MAX_VALUE + ")");
        }
    }

    public boolean isAbove(Epoch other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Epoch other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
