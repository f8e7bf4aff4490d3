package dev.baton.bench.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.load.LoadReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static LoadReport report(double opsPerSecond, long failed, String failure) {
        return new LoadReport("arm", 64, 1, opsPerSecond, 10, 20, 30, failed, failure);
    }

    private static LoadReport report(double opsPerSecond) {
        return report(opsPerSecond, 0, "");
    }

    @Test
    void ratioIsTakenWithinARoundAndItsMedianCounts() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of("ours", report(3_000), "theirs", report(1_000)));
        rounds.add(Map.of("ours", report(400), "theirs", report(100))); // a busy moment, for both
        rounds.add(Map.of("ours", report(9_000), "theirs", report(1_000)));

        assertThat(rounds.speedsOver("ours", "theirs")).containsExactly(3.0, 4.0, 9.0);
        assertThat(rounds.speedOver("ours", "theirs")).isEqualTo(4.0);
        assertThat(rounds.opsPerSecond("ours")).isEqualTo(3_000);
    }

    @Test
    void medianOfAnEvenNumberFavoursNobody() {
        assertThat(Rounds.median(List.of(1.0, 2.0, 4.0, 9.0))).isEqualTo(3.0);
    }

    @Test
    void ratioOfAnArmThatWasNotThereIsNoNumber() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of("ours", report(3_000)));

        assertThat(rounds.speedOver("ours", "theirs")).isNaN();
        assertThat(Rounds.rounded(rounds.speedOver("ours", "theirs"))).isNaN();
    }

    @Test
    void ratioOverAnArmThatAnsweredNothingIsNoNumber() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of("ours", report(3_000), "theirs", report(0)));

        assertThat(rounds.speedOver("ours", "theirs")).isNaN();
    }

    @Test
    void failuresOfAnyRoundAreTold() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of("ours", report(10, 2, "UNAVAILABLE"), "theirs", report(1)));
        rounds.add(Map.of("ours", report(10), "theirs", report(1)));

        assertThat(rounds.failures(List.of("ours", "theirs")))
                .containsExactly("ours: 2 failed, the last by UNAVAILABLE (expected: none)");
        assertThat(rounds.summary("ours")).containsEntry("failed", 2L).containsEntry("failure", "UNAVAILABLE");
        assertThat(rounds.summary("theirs")).doesNotContainKey("failed");
    }
}
