package dev.baton.core.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.core.timing.StalenessPolicy.Sighting;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimingTest {

    private static final StalenessPolicy STALENESS = new StalenessPolicy(Duration.ofNanos(100));

    @Test
    void holdersDeadlineEndsDriftBeforeTheEnginesLease() {
        Lease lease = new Lease(Duration.ofSeconds(10));
        assertThat(lease.drift()).isEqualTo(Duration.ofMillis(102));
        assertThat(lease.deadlineNanos(5)).isEqualTo(5 + 9_898_000_000L);
    }

    @Test
    void leaseShorterThanItsDriftMakesSenseIsRefused() {
        assertThat(new Lease(Duration.ofMillis(10)).deadlineNanos(0)).isPositive();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease(Duration.ofMillis(9)))
                .withMessage("lease: PT0.009S (expected: PT0.01S or longer)");
    }

    @Test
    void deadlineIsPastFromItsVeryNanosecondOn() {
        assertThat(Deadlines.isPast(100, 99)).isFalse();
        assertThat(Deadlines.isPast(100, 100)).isTrue();
    }

    @Test
    void deadlinesCompareAcrossTheOverflowOfTheMonotonicClock() {
        long before = Long.MAX_VALUE - 10;
        long after = before + 20; // negative
        assertThat(after).isNegative();
        assertThat(Deadlines.isPast(before, after)).isTrue();
        assertThat(Deadlines.isPast(after, before)).isFalse();
        assertThat(Deadlines.later(before, after)).isEqualTo(after);
        assertThat(Deadlines.later(after, before)).isEqualTo(after);
        assertThat(Deadlines.earlier(before, after)).isEqualTo(before);
        assertThat(Deadlines.earlier(after, before)).isEqualTo(before);
        assertThat(new Lease(Duration.ofSeconds(1)).deadlineNanos(before)).isNegative();
    }

    /** INV-7. */
    @Test
    void revisionIsStaleOnlyAfterTheWholeDelayWithoutAnother() {
        Sighting first = STALENESS.seen(Optional.empty(), 7, 1_000);
        Sighting again = STALENESS.seen(Optional.of(first), 7, 1_090);

        assertThat(again).isEqualTo(first);
        assertThat(STALENESS.isStale(again, 1_100)).isFalse();
        assertThat(STALENESS.isStale(again, 1_101)).isTrue();
    }

    @Test
    void everyOtherRevisionBeginsTheDelayAnew() {
        Sighting first = STALENESS.seen(Optional.empty(), 7, 1_000);
        Sighting other = STALENESS.seen(Optional.of(first), 8, 1_090);

        assertThat(STALENESS.isStale(other, 1_101)).isFalse();
        assertThat(STALENESS.isStale(other, 1_191)).isTrue();
    }

    @Test
    void stalenessIsTimedAcrossTheOverflowOfTheMonotonicClock() {
        long since = Long.MAX_VALUE - 10;
        Sighting sighting = STALENESS.seen(Optional.empty(), 7, since);
        assertThat(STALENESS.isStale(sighting, since + 100)).isFalse();
        assertThat(STALENESS.isStale(sighting, since + 101)).isTrue();
    }
}
