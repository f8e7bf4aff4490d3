package dev.baton.core;

/** The name of a position that one node holds at a time, such as {@code blocks} or {@code pg-main}. */
public record SeatName(String value) implements Comparable<SeatName> {

    public SeatName {
        Names.checked("seat", value);
    }

    @Override
    public int compareTo(SeatName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
