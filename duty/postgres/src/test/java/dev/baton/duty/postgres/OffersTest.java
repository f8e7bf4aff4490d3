package dev.baton.duty.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class OffersTest {

    private final Offers offers = new Offers();

    @Test
    void whoeverIsInARecordUnderWayIsWaitedForUntilTheNextIsMade() {
        offers.begin(Set.of("n1"));
        assertThat(offers.offer()).containsExactly("n1");

        offers.allow(Set.of());

        assertThat(offers.with(Set.of("n3"))).containsExactly("n1", "n3");
        assertThat(offers.offer()).isEmpty();
        assertThat(offers.with(Set.of("n3"))).containsExactly("n3");
    }

    /** A primary that had been one before made its clients wait for a standby of its earlier term. */
    @Test
    void aNewTermWaitsForNobodyWhomOnlyAnEarlierOneNamed() {
        offers.begin(Set.of("n1"));
        offers.offer();

        offers.begin(Set.of());

        assertThat(offers.with(Set.of())).isEmpty();
        assertThat(offers.offer()).isEmpty();
    }
}
