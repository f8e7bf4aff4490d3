package dev.baton.core;

/** The position of an entry in a ledger: 1, 2, 3 … without gaps. Zero is the position before the first entry. */
public record Height(long value) implements Comparable<Height> {

    public static final Height ZERO = new Height(0);

    public static final Height FIRST = new Height(1);

    public Height {
        if (value < 0) {
            throw new IllegalArgumentException("height: " + value + " (expected: 0 or more)");
        }
    }

    public Height next() {
        return new Height(Math.addExact(value, 1));
    }

    public boolean isAbove(Height other) {
        return value > other.value;
    }

    public boolean isBelow(Height other) {
        return value < other.value;
    }

    @Override
    public int compareTo(Height other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
