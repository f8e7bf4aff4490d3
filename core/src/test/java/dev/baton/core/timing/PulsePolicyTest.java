package dev.baton.core.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PulsePolicyTest {

    /** The session log of the published design: one success in a row of failures keeps the seat. */
    @Test
    void oneSuccessResetsTheFailuresAndTheOtherWayRound() {
        assertThat(session(new PulsePolicy(3, 2), "fail fail ok fail")).isEqualTo("""
                        t=1 fail f=1 s=0 UP
                        t=2 fail f=2 s=0 UP
                        t=3 ok   f=0 s=1 UP
                        t=4 fail f=1 s=0 UP
                        """);
    }

    @Test
    void thirdFailureInARowFencesAndSecondSuccessInARowUnfences() {
        assertThat(session(new PulsePolicy(3, 2), "fail fail fail ok fail ok ok fail"))
                .isEqualTo("""
                        t=1 fail f=1 s=0 UP
                        t=2 fail f=2 s=0 UP
                        t=3 fail f=3 s=0 DOWN
                        t=4 ok   f=0 s=1 DOWN
                        t=5 fail f=1 s=0 DOWN
                        t=6 ok   f=0 s=1 DOWN
                        t=7 ok   f=0 s=2 UP
                        t=8 fail f=1 s=0 UP
                        """);
    }

    @Test
    void nervousGivesUpAndComesBackAtOnce() {
        assertThat(session(PulsePolicy.NERVOUS, "fail ok fail")).isEqualTo("""
                        t=1 fail f=1 s=0 DOWN
                        t=2 ok   f=0 s=1 UP
                        t=3 fail f=1 s=0 DOWN
                        """);
    }

    @Test
    void tankRidesOutNineFailures() {
        assertThat(session(PulsePolicy.TANK, "fail ".repeat(10) + "ok").lines())
                .contains("t=9 fail f=9 s=0 UP", "t=10 fail f=10 s=0 DOWN", "t=11 ok   f=0 s=1 UP");
    }

    @Test
    void stickyIsHardToKillAndHardToBringBack() {
        assertThat(session(PulsePolicy.STICKY, "fail ".repeat(5) + "ok ".repeat(5))
                        .lines())
                .contains(
                        "t=4 fail f=4 s=0 UP",
                        "t=5 fail f=5 s=0 DOWN",
                        "t=9 ok   f=0 s=4 DOWN",
                        "t=10 ok   f=0 s=5 UP");
    }

    @Test
    void profilesHaveTheirPublishedThresholds() {
        assertThat(PulsePolicy.DEFAULT).isEqualTo(new PulsePolicy(2, 2));
        assertThat(PulsePolicy.NERVOUS).isEqualTo(new PulsePolicy(1, 1));
        assertThat(PulsePolicy.TANK).isEqualTo(new PulsePolicy(10, 1));
        assertThat(PulsePolicy.STICKY).isEqualTo(new PulsePolicy(5, 5));
    }

    @Test
    void thresholdsBelowOneAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PulsePolicy(0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PulsePolicy(1, 0))
                .withMessage("pulse thresholds: 1 failures, 0 successes (expected: 1 or more of each)");
    }

    private static String session(PulsePolicy policy, String probes) {
        StringBuilder log = new StringBuilder();
        PulseCount count = PulseCount.NONE;
        boolean up = true;
        int t = 0;
        for (String probe : probes.trim().split(" ", -1)) {
            count = probe.equals("ok") ? count.succeeded() : count.failed();
            up = up ? !policy.fences(count) : policy.unfences(count);
            log.append("t=%d %-4s %s %s\n".formatted(++t, probe, count, up ? "UP" : "DOWN"));
        }
        return log.toString();
    }
}
