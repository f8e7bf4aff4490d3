package dev.baton.duty.mempool;

import dev.baton.core.Epoch;
import dev.baton.core.SeatId;

/** In which term of which seat a watcher speaks. Written {@code cluster/seat/era/epoch}. */
public record WatcherTerm(SeatId seat, Epoch epoch) {

    public WatcherTerm {
        if (epoch.equals(Epoch.NONE)) {
            throw new InvalidRequestException("epoch", "0", "1 or more");
        }
    }

    public boolean isOfSameSeat(WatcherTerm other) {
        return seat.cluster().equals(other.seat.cluster()) && seat.seat().equals(other.seat.seat());
    }

    /** INV-1: the era is compared first, then the epoch. */
    public boolean isBelow(WatcherTerm other) {
        int byEra = seat.era().compareTo(other.seat.era());
        return byEra != 0 ? byEra < 0 : epoch.compareTo(other.epoch) < 0;
    }

    @Override
    public String toString() {
        return seat.cluster() + "/" + seat.seat() + "/" + seat.era() + "/" + epoch;
    }
}
