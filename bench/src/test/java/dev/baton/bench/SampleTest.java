package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SampleTest {

    private static Sample millis(LongStream values) {
        Sample sample = new Sample();
        values.forEach(value -> sample.add(value * 1_000_000));
        return sample;
    }

    @Test
    void percentilesAreValuesThatWereMeasured() {
        Sample sample = millis(LongStream.rangeClosed(1, 100).map(value -> 101 - value));
        assertThat(sample.millisAt(0.5)).isEqualTo(50);
        assertThat(sample.millisAt(0.95)).isEqualTo(95);
        assertThat(sample.millisAt(0.99)).isEqualTo(99);
        assertThat(sample.millisAt(1)).isEqualTo(100);
    }

    @Test
    void aSingleValueIsEveryPercentile() {
        Sample sample = millis(LongStream.of(7));
        assertThat(sample.medianMillis()).isEqualTo(7);
        assertThat(sample.millisAt(0.95)).isEqualTo(7);
    }

    @Test
    void nothingMeasuredIsNotANumberAndReachesNothing() {
        assertThat(new Sample().medianMillis() <= 1_000).isFalse();
    }
}
