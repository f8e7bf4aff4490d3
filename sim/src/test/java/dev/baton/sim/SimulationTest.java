package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {

    @ParameterizedTest
    @EnumSource(Engine.Kind.class)
    void roughWorldsBreakNoRuleAndRecover(Engine.Kind engine) throws InterruptedException {
        Sweep.Result result = Sweep.run(seed -> List.of(Scenario.of(engine, seed)), 1, 120, outcome -> {});

        assertThat(result.failures()).allSatisfy(outcome -> assertThat(outcome.violations())
                .as("seed %d on %s\n%s", outcome.seed(), engine, tail(outcome))
                .isEmpty());
        assertThat(result.runs()).isEqualTo(120);
    }

    @ParameterizedTest
    @EnumSource(Engine.Kind.class)
    void aSeedFixesEverythingThatHappens(Engine.Kind engine) {
        Scenario scenario = Scenario.of(engine, 7);

        assertThat(scenario.run(7)).isEqualTo(scenario.run(7));
    }

    @ParameterizedTest
    @EnumSource(Engine.Kind.class)
    void roughWorldsAreRough(Engine.Kind engine) {
        Outcome outcome = Scenario.of(engine, 3).run(3);

        assertThat(outcome.faults()).isGreaterThan(20);
        assertThat(outcome.terms()).isGreaterThan(3);
        assertThat(outcome.committed()).isGreaterThan(60);
    }

    @Test
    void transcriptsOfPassingRunsAreWrittenOnlyForReaders() {
        assertThat(Simulation.runQuietly(Scenario.standard(), 3).transcript()).isEmpty();
        assertThat(Scenario.standard().run(3).transcript()).hasSizeGreaterThan(100);
    }

    private static String tail(Outcome outcome) {
        int size = outcome.transcript().size();
        return String.join("\n", outcome.transcript().subList(Math.max(0, size - 60), size));
    }
}
