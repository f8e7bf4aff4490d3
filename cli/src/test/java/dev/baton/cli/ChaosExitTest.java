package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.run.ChaosCommand;
import org.junit.jupiter.api.Test;

class ChaosExitTest {

    @Test
    void everyVerdictEndsWithANumberThatMeansThatAndNothingElse() {
        assertThat(ChaosCommand.exitCode(Verdict.PASS)).isEqualTo(Exit.OK.number());
        assertThat(ChaosCommand.exitCode(Verdict.FAIL)).isEqualTo(Exit.FAILED.number());
        assertThat(ChaosCommand.exitCode(Verdict.UNKNOWN)).isEqualTo(Exit.UNDECIDED.number());
    }
}
