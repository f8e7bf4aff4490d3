package dev.baton.seat;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.standing.SeatRules;
import dev.baton.duty.Duty;

/**
 * What a driver brings together.
 *
 * @param maxLag how many entries a duty may be behind the known head and still stand for the seat
 */
public record SeatParts(
        SeatRules rules,
        Candidate self,
        SeatAuthority authority,
        Duty duty,
        LedgerLimits keep,
        int maxLag,
        SeatObserver observer) {

    /** A handful: what a promotion can catch up on without anybody noticing. */
    public static final int DEFAULT_MAX_LAG = 10;
}
