package dev.baton.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SlotsTest {

    private static Slots of(long... gapsMillis) {
        Slots slots = new Slots(0, 1000);
        LongStream.of(gapsMillis).forEach(slots::note);
        return slots;
    }

    @Test
    void evenBlocksMissNothing() {
        assertThat(of(1000, 1010, 990, 1000).missed()).isZero();
    }

    @Test
    void aGapOfAnotherBlocksLengthIsAMissedSlot() {
        assertThat(of(1000, 1000, 2000, 1000, 1000).missed()).isEqualTo(1);
        assertThat(of(1000, 1000, 5000, 1000, 1000).missed()).isEqualTo(4);
    }

    @Test
    void aClusterThatIsSlowThroughoutMissesSlotsToo() {
        assertThat(of(2000, 2000, 2000).missed()).isEqualTo(3);
    }

    @Test
    void aBlockThatIsLateByLessThanHalfAnIntervalMissesNothing() {
        Slots slots = of(1000, 1000, 1400, 600, 1000);

        assertThat(slots.missed()).isZero();
        assertThat(slots.worstGapMillis()).isEqualTo(1400);
        assertThat(slots.made()).isEqualTo(5);
    }
}
