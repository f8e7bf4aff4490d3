package dev.baton.core;

/**
 * The identity within which epochs compare.
 *
 * <p>INV-1: every fence check compares this identity before it compares epochs.
 */
public record SeatId(ClusterId cluster, SeatName seat, Era era) {

    public static SeatId of(String cluster, String seat) {
        return new SeatId(new ClusterId(cluster), new SeatName(seat), Era.FIRST);
    }

    @Override
    public String toString() {
        return cluster + "/" + seat + "@" + era;
    }
}
