package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {

    @Test
    void roughWorldsBreakNoRuleAndRecover() {
        LongStream.rangeClosed(1, 200).forEach(seed -> {
            Outcome outcome = Simulation.run(Scenario.standard(), seed);
            assertThat(outcome.violations())
                    .as("seed %d; replay with ./baton sim --seeds %d..%d\n%s", seed, seed, seed, tail(outcome))
                    .isEmpty();
        });
    }

    @Test
    void aSeedFixesEverythingThatHappens() {
        Outcome once = Simulation.run(Scenario.standard(), 7);
        Outcome again = Simulation.run(Scenario.standard(), 7);
        assertThat(again).isEqualTo(once);
    }

    @Test
    void roughWorldsAreRough() {
        Outcome outcome = Simulation.run(Scenario.standard(), 3);
        assertThat(outcome.faults()).isGreaterThan(20);
        assertThat(outcome.terms()).isGreaterThan(3);
        assertThat(outcome.committed()).isGreaterThan(100);
    }

    private static String tail(Outcome outcome) {
        int size = outcome.transcript().size();
        return String.join("\n", outcome.transcript().subList(Math.max(0, size - 60), size));
    }
}
