package dev.baton.core.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeatTimingsTest {

    private static SeatTimings timings(
            long intervalMillis, long timeoutMillis, int failures, Optional<Duration> override) {
        return new SeatTimings(
                Duration.ofMillis(intervalMillis),
                Duration.ofMillis(timeoutMillis),
                new PulsePolicy(failures, 2),
                Duration.ofMillis(100),
                Duration.ofMillis(50),
                new BigDecimal("1.01"),
                override);
    }

    /** interval + (k - 1) * max(interval, timeout) + timeout. */
    @ParameterizedTest
    @CsvSource({
        "1000, 1000,  1,  2000", //
        "1000, 1000,  2,  3000",
        "1000,  200,  3,  3200",
        " 200, 1000,  3,  3200",
        "1000, 1000, 10, 11000"
    })
    void fencingTakesAsLongAsTheFormulaSays(long interval, long timeout, int failures, long expected) {
        assertThat(timings(interval, timeout, failures, Optional.empty()).fenceAfter())
                .isEqualTo(Duration.ofMillis(expected));
    }

    @Test
    void takeoverDelayAddsStopAndMarginAndTheClockRateBound() {
        SeatTimings timings = timings(1000, 1000, 2, Optional.empty());
        assertThat(timings.minimumTakeoverDelay()).isEqualTo(Duration.ofNanos(3_181_500_000L));
        assertThat(timings.takeoverDelay()).isEqualTo(timings.minimumTakeoverDelay());
        assertThat(timings.lease().ttl()).isEqualTo(timings.takeoverDelay());
    }

    /** Regression: the part of a nanosecond was cut off, which allowed a delay just below the bound. */
    @Test
    void takeoverDelayIsRoundedUp() {
        SeatTimings timings = new SeatTimings(
                Duration.ofMillis(10),
                Duration.ofMillis(1),
                PulsePolicy.NERVOUS,
                Duration.ZERO,
                Duration.ofNanos(1),
                new BigDecimal("1.01"),
                Optional.empty());
        assertThat(timings.minimumTakeoverDelay()).isEqualTo(Duration.ofNanos(11_110_002));
    }

    @Test
    void defaultsAreSafe() {
        assertThat(SeatTimings.DEFAULT.faults("")).isEmpty();
        assertThat(SeatTimings.DEFAULT.warnings()).isEmpty();
        assertThat(SeatTimings.DEFAULT.fenceAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(SeatTimings.DEFAULT.takeoverDelay()).isEqualTo(Duration.ofNanos(3_282_500_000L));
    }

    /** Otherwise the watchdog, not the pulse policy, would decide when a holder gives up. */
    @Test
    void holderCountsOutItsPulsesBeforeItsLeaseEnds() {
        for (PulsePolicy policy :
                new PulsePolicy[] {PulsePolicy.DEFAULT, PulsePolicy.NERVOUS, PulsePolicy.TANK, PulsePolicy.STICKY}) {
            SeatTimings timings = new SeatTimings(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    policy,
                    Duration.ZERO,
                    Duration.ofMillis(250),
                    new BigDecimal("1.01"),
                    Optional.empty());
            assertThat(timings.lease().deadlineNanos(0))
                    .isGreaterThan(timings.fenceAfter().toNanos());
        }
    }

    @Test
    void takeoverDelayCanBeRaisedButNotLowered() {
        SeatTimings longer = timings(1000, 1000, 2, Optional.of(Duration.ofSeconds(30)));
        assertThat(longer.faults("seats.blocks.")).isEmpty();
        assertThat(longer.takeoverDelay()).isEqualTo(Duration.ofSeconds(30));

        SeatTimings exact = timings(1000, 1000, 2, Optional.of(Duration.ofNanos(3_181_500_000L)));
        assertThat(exact.faults("seats.blocks.")).isEmpty();

        SeatTimings shorter = timings(1000, 1000, 2, Optional.of(Duration.ofNanos(3_181_499_999L)));
        assertThat(shorter.faults("seats.blocks."))
                .singleElement()
                .hasToString("seats.blocks.takeover-delay: PT3.181499999S (expected: PT3.1815S or longer, because a"
                        + " holder may act for PT3S after its last good pulse, plus PT0.1S to stop and PT0.05S margin,"
                        + " on a clock that is 1.01 times slower)");
    }

    @Test
    void everyFaultIsReportedAtOnceWithItsKey() {
        SeatTimings wrong = new SeatTimings(
                Duration.ofMillis(9),
                Duration.ZERO,
                PulsePolicy.DEFAULT,
                Duration.ofMillis(-1),
                Duration.ofMillis(-2),
                new BigDecimal("0.99"),
                Optional.of(Duration.ofMillis(1)));

        assertThat(wrong.faults("seats.blocks."))
                .extracting(Fault::key)
                .containsExactly(
                        "seats.blocks.interval",
                        "seats.blocks.timeout",
                        "seats.blocks.stop",
                        "seats.blocks.margin",
                        "seats.blocks.clock-rate-bound",
                        "seats.blocks.takeover-delay");
    }

    @Test
    void failureThresholdOfOneWarns() {
        assertThat(timings(1000, 1000, 1, Optional.empty()).warnings()).hasSize(1);
        assertThat(timings(1000, 1000, 1, Optional.empty()).faults("")).isEmpty();
    }
}
