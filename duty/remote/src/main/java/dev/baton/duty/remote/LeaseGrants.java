package dev.baton.duty.remote;

import dev.baton.core.timing.Deadlines;
import dev.baton.duty.Tenure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How long a sequencer was allowed to work, on its clock and on ours. Thread-safe.
 *
 * <p>INV-25: the time is given as a moment on the sequencer's own clock, counted from a reading that it gave before.
 * However late the token arrives, it does not end later for that.
 */
final class LeaseGrants {

    private final BigDecimal clockRateBound;
    private boolean unlimited;
    private boolean granted;
    private long overNanos;

    LeaseGrants(BigDecimal clockRateBound) {
        this.clockRateBound = clockRateBound;
    }

    /**
     * The time until which the term may be acted under, as it stands now.
     *
     * @param reading what the sequencer's clock showed
     * @param readNanos when this node had that answer, so that the reading is no younger than that
     */
    synchronized Optional<PeerTime> grant(Tenure tenure, Optional<PeerTime> reading, long readNanos) {
        if (reading.isEmpty()) {
            unlimited = true;
            return Optional.empty();
        }
        long endNanos = System.nanoTime() + tenure.timeLeft().toNanos();
        overNanos = granted ? Deadlines.later(overNanos, endNanos) : endNanos;
        granted = true;
        PeerTime at = reading.get();
        return Optional.of(new PeerTime(
                at.incarnation(), at.millis() + TimeUnit.NANOSECONDS.toMillis(shortened(endNanos - readNanos))));
    }

    /** The sequencer's clock may be slower by the bound; its time is over when ours is, even so. */
    private long shortened(long nanos) {
        return BigDecimal.valueOf(nanos)
                .divide(clockRateBound, 0, RoundingMode.FLOOR)
                .longValue();
    }

    /** Whether every time that was granted is over, so that the sequencer has stopped by its own rule. */
    synchronized boolean areOver() {
        return granted && !unlimited && Deadlines.isPast(overNanos, System.nanoTime());
    }
}
