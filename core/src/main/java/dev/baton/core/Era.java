package dev.baton.core;

/** Changes when a seat is re-initialised, restored or moved to another engine; epochs start anew in each era. */
public record Era(int value) implements Comparable<Era> {

    public static final Era FIRST = new Era(1);

    public Era {
        if (value < 1) {
            throw new IllegalArgumentException("era: " + value + " (expected: 1 or more)");
        }
    }

    @Override
    public int compareTo(Era other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
