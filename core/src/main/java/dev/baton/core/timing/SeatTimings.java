package dev.baton.core.timing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All times of one seat, and the relations between them that keep two holders from overlapping.
 *
 * <p>INV-8: a successor acts no earlier than {@link #takeoverDelay()} after the last pulse that it saw, and by then
 * the predecessor has fenced itself and stopped, even if its clock runs slower by the clock-rate bound.
 *
 * @param interval from one pulse to the next
 * @param timeout how long one pulse may take; a later acknowledgement is a failure
 * @param stop how long stopping the duty takes at most
 * @param margin safety on top
 * @param clockRateBound how much faster one clock may run than another, such as 1.01
 * @param takeoverOverride a longer takeover delay than the computed one
 */
public record SeatTimings(
        Duration interval,
        Duration timeout,
        PulsePolicy policy,
        Duration stop,
        Duration margin,
        BigDecimal clockRateBound,
        Optional<Duration> takeoverOverride) {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    /** A pulse a second, a second for each, and the default thresholds. */
    public static final SeatTimings DEFAULT = everyInterval(Duration.ofSeconds(1));

    /** The defaults for another interval. */
    public static SeatTimings everyInterval(Duration interval) {
        return new SeatTimings(
                interval,
                Duration.ofSeconds(1),
                PulsePolicy.DEFAULT,
                Duration.ZERO,
                Duration.ofMillis(250),
                new BigDecimal("1.01"),
                Optional.empty());
    }

    /** The longest time from the last good send to the decision to fence: the k-th failure in a row. */
    public Duration fenceAfter() {
        Duration betweenFailures = interval.compareTo(timeout) > 0 ? interval : timeout;
        return interval.plus(betweenFailures.multipliedBy(policy.failureThreshold() - 1L))
                .plus(timeout);
    }

    /** The shortest takeover delay that leaves no overlap. */
    public Duration minimumTakeoverDelay() {
        Duration sum = fenceAfter().plus(stop).plus(margin);
        return Duration.ofNanos(BigDecimal.valueOf(sum.toNanos())
                .multiply(clockRateBound)
                .setScale(0, RoundingMode.CEILING)
                .longValue());
    }

    /** The takeover delay in force. It is also the lease that a holder takes from the engine. */
    public Duration takeoverDelay() {
        return takeoverOverride.orElseGet(this::minimumTakeoverDelay);
    }

    /** The same with a takeover delay of its own. */
    public SeatTimings withTakeover(Duration delay) {
        return new SeatTimings(interval, timeout, policy, stop, margin, clockRateBound, Optional.of(delay));
    }

    public Lease lease() {
        return new Lease(takeoverDelay());
    }

    /** Everything that makes these times unsafe; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            faults.add(new Fault(prefix + "interval", interval.toString(), SHORTEST_INTERVAL + " or longer"));
        }
        if (timeout.isNegative() || timeout.isZero()) {
            faults.add(new Fault(prefix + "timeout", timeout.toString(), "longer than PT0S"));
        }
        if (stop.isNegative()) {
            faults.add(new Fault(prefix + "stop", stop.toString(), "PT0S or longer"));
        }
        if (margin.isNegative()) {
            faults.add(new Fault(prefix + "margin", margin.toString(), "PT0S or longer"));
        }
        if (clockRateBound.compareTo(BigDecimal.ONE) < 0) {
            faults.add(new Fault(prefix + "clock-rate-bound", clockRateBound.toPlainString(), "1 or more"));
        }
        takeoverOverride
                .filter(override -> override.compareTo(minimumTakeoverDelay()) < 0)
                .ifPresent(override -> faults.add(new Fault(
                        prefix + "takeover-delay",
                        override.toString(),
                        minimumTakeoverDelay() + " or longer, because a holder may act for " + fenceAfter()
                                + " after its last good pulse, plus " + stop + " to stop and " + margin
                                + " margin, on a clock that is " + clockRateBound.toPlainString() + " times slower")));
        return List.copyOf(faults);
    }

    /** What is allowed but rarely wanted. */
    public List<String> warnings() {
        return policy.failureThreshold() > 1
                ? List.of()
                : List.of("a failure threshold of 1 fences on a single clock jump, VM migration or slow write");
    }
}
