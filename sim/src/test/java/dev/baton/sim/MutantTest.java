package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MutantTest {

    @Test
    void eachBrokenRuleIsNoticed() throws InterruptedException {
        assertThat(MutantHunt.run(done -> {})).hasSizeGreaterThan(12).allSatisfy(done -> assertThat(done.outcome())
                .as("%s is noticed by one of %d seeds", done.mutant(), MutantHunt.SEEDS)
                .isPresent());
    }
}
