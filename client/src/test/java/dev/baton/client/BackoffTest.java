package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration CAP = Duration.ofSeconds(2);

    @Test
    void longestPauseDoublesUpToTheCap() {
        Backoff backoff = new Backoff(FIRST, CAP, () -> 1.0);

        assertThat(backoff.pauseNanos(1)).isEqualTo(millis(100));
        assertThat(backoff.pauseNanos(2)).isEqualTo(millis(200));
        assertThat(backoff.pauseNanos(3)).isEqualTo(millis(400));
        assertThat(backoff.pauseNanos(5)).isEqualTo(millis(1_600));
        assertThat(backoff.pauseNanos(6)).isEqualTo(millis(2_000));
        assertThat(backoff.pauseNanos(1_000)).isEqualTo(millis(2_000));
    }

    @Test
    void jitterIsFull() {
        Random random = new Random(7);
        Backoff backoff = new Backoff(FIRST, CAP, random::nextDouble);

        long below = 0;
        for (int i = 0; i < 10_000; i++) {
            long pause = backoff.pauseNanos(3);
            assertThat(pause).isBetween(0L, millis(400));
            below += pause < millis(100) ? 1 : 0;
        }
        assertThat(below).as("a quarter of all pauses in the lowest quarter").isBetween(2_200L, 2_800L);
    }

    private static long millis(long millis) {
        return millis * 1_000_000;
    }
}
