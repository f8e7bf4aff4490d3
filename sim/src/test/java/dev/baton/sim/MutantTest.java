package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutantTest {

    @ParameterizedTest
    @EnumSource(Mutant.class)
    void eachBrokenRuleIsNoticed(Mutant mutant) {
        Scenario broken = Scenario.standard().with(mutant);
        assertThat(LongStream.rangeClosed(1, 60)
                        .anyMatch(seed -> !Simulation.run(broken, seed).passed()))
                .as("%s is noticed by at least one of 60 seeds", mutant)
                .isTrue();
    }
}
