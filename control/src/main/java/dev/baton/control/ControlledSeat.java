package dev.baton.control;

import dev.baton.core.Epoch;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.SeatStatus;
import java.util.function.Supplier;

/**
 * A seat that can be steered.
 *
 * @param readiness what the duty itself says, apart from whether an operator stopped it
 */
public record ControlledSeat(JoinedSeat joined, Supplier<HeadFacts> facts, Supplier<Readiness> readiness) {

    /**
     * What only the duty knows of the head.
     *
     * @param origin the position in the layer below that the head names
     * @param layerHeight how far that layer is
     * @param safeHeight the highest entry that is published there
     * @param timeMillis the head's own time
     */
    public record HeadFacts(String origin, long layerHeight, long safeHeight, long timeMillis) {}

    public SeatStatus status() {
        return joined.status();
    }

    /** The epoch of the newest term that this node knows of, its own or another's, running or over. */
    public static Epoch newestEpoch(SeatStatus status) {
        Epoch newest = status.standing().outlook().over();
        if (status.standing() instanceof Standing.Tenured tenured) {
            newest = higher(newest, tenured.tenancy().term().epoch());
        }
        newest = higher(
                newest,
                status.standing().outlook().holder().map(term -> term.epoch()).orElse(Epoch.NONE));
        return higher(
                newest, status.currentHolder().map(by -> by.term().epoch()).orElse(Epoch.NONE));
    }

    private static Epoch higher(Epoch one, Epoch other) {
        return one.isAbove(other) ? one : other;
    }
}
