package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.timing.SeatTimings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerTimesTest {

    @ParameterizedTest
    @CsvSource({
        "10, 800, 2000",
        "100, 800, 2000",
        "130, 800, 2000",
        "131, 700, 2000",
        "499, 600, 2000",
        "500, 700, 3000",
        "1000, 700, 3000",
        // One second more than our delay allows: then the formula gives it.
        "2000, 700, 4999"
    })
    void theDelayIsTheShortestThatTheFormulaAllows(long intervalMillis, long timeoutMillis, long delayMillis) {
        SeatTimings times = ServerTimes.at(Duration.ofMillis(intervalMillis));

        assertThat(times.faults("")).isEmpty();
        assertThat(times.timeout().toMillis()).isEqualTo(timeoutMillis);
        assertThat(times.takeoverDelay().toMillis()).isEqualTo(delayMillis);
        assertThat(times.takeoverDelay()).isGreaterThanOrEqualTo(times.minimumTakeoverDelay());
    }
}
