package dev.baton.core;

/** The name of one deployment; entries and epochs of two clusters never mix. */
public record ClusterId(String value) implements Comparable<ClusterId> {

    public ClusterId {
        Names.checked("cluster", value);
    }

    @Override
    public int compareTo(ClusterId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
