package dev.baton.process;

import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Tenure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * When the processes of a term must begin to stop, so that they are down before a successor acts.
 *
 * <p>INV-23: a successor acts a takeover delay after the last pulse that it saw, on a clock that may be faster by the
 * clock-rate bound. Before that the ladder needs its time, and half of the margin stays in hand.
 */
public record StopTimes(SeatTimings timings) {

    /** Counted from the send of the last good pulse. */
    public Duration stopAfter() {
        Duration takeover =
                Duration.ofNanos(BigDecimal.valueOf(timings.takeoverDelay().toNanos())
                        .divide(timings.clockRateBound(), 0, RoundingMode.FLOOR)
                        .longValue());
        return takeover.minus(timings.stop()).minus(timings.margin().dividedBy(2));
    }

    /** On the monotonic clock, as the term stands now. */
    public long stopAtNanos(Tenure tenure) {
        Duration lease = timings.lease().ttl().minus(timings.lease().drift());
        return System.nanoTime()
                + tenure.timeLeft().minus(lease).plus(stopAfter()).toNanos();
    }
}
