package dev.baton.core.standing;

import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.SeatTimings;
import java.time.Duration;

/**
 * What does not change while a node serves one seat.
 *
 * @param poll how often a node without the seat asks the engine about it; events only make it faster
 */
public record SeatRules(SeatId seat, NodeId self, Fencing fencing, SeatTimings timings, Duration poll) {

    public static final Duration DEFAULT_POLL = Duration.ofMillis(500);
}
