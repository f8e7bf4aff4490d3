package dev.baton.authority.nats.seat;

import dev.baton.authority.Look;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Seating;
import dev.baton.core.timing.StalenessPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * A seat as this process knows it now.
 *
 * @param sighting since when, on this process's monotonic clock, the last message that counts has been the same
 * @param confirmedNanos a time at which that was certainly still so
 */
record Observation(Sight sight, StalenessPolicy.Sighting sighting, long confirmedNanos) {

    /** INV-7: the same for the whole delay, by this clock alone. Server timestamps are for people. */
    boolean isStale(StalenessPolicy policy) {
        return policy.isStale(sighting, confirmedNanos);
    }

    /** Who holds the seat, as far as anybody can tell without a lease at the server. */
    Optional<Seating> seating(StalenessPolicy policy) {
        return isStale(policy) ? Optional.empty() : sight.state().seating();
    }

    /** How long nothing must happen from now on until the seat counts as free. */
    Duration untilStale(StalenessPolicy policy, long nowNanos) {
        return policy.takeoverDelay().minusNanos(nowNanos - sighting.sinceNanos());
    }

    Look asLook(StalenessPolicy policy) {
        SeatState state = sight.state();
        return seating(policy)
                .<Look>map(by -> new Look.Held(by, state.head(), state.oldest()))
                .orElseGet(() -> new Look.Vacant(state.lastEnded(), state.head(), state.oldest()));
    }

    /** The holder or the vacancy, as watchers are told it. */
    SeatEvent asEvent(StalenessPolicy policy) {
        return seating(policy)
                .<SeatEvent>map(SeatEvent.Taken::new)
                .orElseGet(() -> new SeatEvent.Vacated(sight.state().lastEnded()));
    }
}
