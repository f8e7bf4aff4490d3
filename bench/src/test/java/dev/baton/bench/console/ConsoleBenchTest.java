package dev.baton.bench.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleBenchTest {

    /** What a log that is cut now and then does to memory. */
    private static final List<Double> SAW = List.of(9.0, 10.0, 11.0, 9.0, 10.0, 11.0, 9.0, 10.0, 11.0, 9.0, 10.0, 11.0);

    @Test
    void aQuarterIsJudgedByItsMedian() {
        assertThat(ConsoleBench.quarter(SAW, 1)).isEqualTo(10);
        assertThat(ConsoleBench.quarter(SAW, 3)).isEqualTo(10);
    }

    @Test
    void whatGrowsWithTimeShows() {
        List<Double> growing = List.of(10.0, 10.5, 11.0, 11.5, 12.0, 12.5, 13.0, 13.5);

        assertThat(ConsoleBench.quarter(growing, 3) / ConsoleBench.quarter(growing, 1))
                .isGreaterThan(1.1);
    }

    @Test
    void withoutSamplesThereIsNoQuarterThatCouldPass() {
        assertThat(ConsoleBench.quarter(List.of(10.0), 0)).isNaN();
    }
}
