package dev.baton.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** INV-23: the watchdog's time is after that of the node itself, and leaves enough before a successor acts. */
class StopTimesTest {

    @Test
    void theStopBeginsAfterTheNodesOwnFencingAndEndsBeforeTheSuccessorActs() {
        SeatTimings timings = new SeatTimings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                PulsePolicy.DEFAULT,
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                new BigDecimal("1.01"),
                Optional.empty());
        Duration begins = new StopTimes(timings).stopAfter();
        assertThat(begins).isGreaterThan(timings.fenceAfter());
        // On a clock that is slower than the successor's by the bound.
        Duration endsAtTheLatest =
                Duration.ofNanos((long) (begins.plus(timings.stop()).toNanos() * 1.01));
        assertThat(endsAtTheLatest).isLessThan(timings.takeoverDelay());
    }
}
