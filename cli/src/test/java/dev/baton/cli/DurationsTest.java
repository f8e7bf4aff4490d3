package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"100ms,PT0.1S", "30s,PT30S", "2m,PT2M", "1h,PT1H", "' 5S ',PT5S"})
    void timesAreReadAsPeopleWriteThem(String text, Duration expected) {
        assertThat(new Durations().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1.5s", "0s", "1 day", "9999999999s"})
    void anythingElseIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> new Durations().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageStartingWith("\"" + text + "\" (expected: ");
    }

    @ParameterizedTest
    @CsvSource({"0,0 ms", "999,999 ms", "1000,1.0 s", "59900,59.9 s", "61000,1 min 1 s", "7200000,2 h 0 min"})
    void agesAreShownInTheUnitThatFits(long millis, String expected) {
        assertThat(Durations.readable(millis)).isEqualTo(expected);
    }

    @Test
    void whatIsWrittenIntoAConfigurationIsExact() {
        assertThat(Durations.exact(Duration.ofMillis(1500))).isEqualTo("1500ms");
        assertThat(Durations.exact(Duration.ofSeconds(90))).isEqualTo("90s");
    }
}
