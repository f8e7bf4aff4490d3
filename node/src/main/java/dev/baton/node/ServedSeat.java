package dev.baton.node;

import dev.baton.core.SeatName;
import dev.baton.node.config.SeatConfig;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.SeatStatus;
import java.util.Optional;

/** A seat that this node has joined, with all that belongs to it. */
public record ServedSeat(
        SeatConfig config,
        ServedDuty duty,
        JoinedSeat joined,
        Growth growth,
        RecentMilestones milestones,
        StandingWatch standings,
        SeatNews news,
        Optional<History> history,
        Followed followed) {

    public SeatName name() {
        return config.name();
    }

    public SeatStatus status() {
        return joined.status();
    }
}
