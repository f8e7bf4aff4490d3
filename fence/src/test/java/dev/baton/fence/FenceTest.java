package dev.baton.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Epoch;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INV-1: cluster and seat first, then era, then epoch. */
class FenceTest {

    private static Admission judge(String shown, String stored) {
        return Fence.parse(shown).against(Optional.of(Fence.parse(stored)));
    }

    @Test
    void anyFenceIsTheFirst() {
        assertThat(Fence.parse("demo/jobs/3/7").against(Optional.empty()).isAdmitted())
                .isTrue();
    }

    @Test
    void equalAndHigherEpochsPassLowerOnesDoNot() {
        assertThat(judge("demo/jobs/1/7", "demo/jobs/1/7").isAdmitted()).isTrue();
        assertThat(judge("demo/jobs/1/8", "demo/jobs/1/7").isAdmitted()).isTrue();
        assertThat(judge("demo/jobs/1/6", "demo/jobs/1/7")).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void aLaterEraPassesWhateverItsEpoch() {
        assertThat(judge("demo/jobs/2/1", "demo/jobs/1/900").isAdmitted()).isTrue();
        assertThat(judge("demo/jobs/1/900", "demo/jobs/2/1")).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void anotherSeatIsRefusedWhateverItsEraAndEpoch() {
        assertThat(judge("demo/other/9/900", "demo/jobs/1/1")).isInstanceOf(Admission.OtherSeat.class);
        assertThat(judge("prod/jobs/9/900", "demo/jobs/1/1")).isInstanceOf(Admission.OtherSeat.class);
        assertThat(judge("demo/other/1/1", "demo/jobs/1/1")).isInstanceOf(Admission.OtherSeat.class);
    }

    @Test
    void theLargestEpochKeepsItsNeighboursApart() {
        Fence largest = Fence.of("demo", "jobs", 1, Epoch.MAX_VALUE);
        Fence before = Fence.of("demo", "jobs", 1, Epoch.MAX_VALUE - 1);

        assertThat(before.against(Optional.of(largest))).isEqualTo(new Admission.Stale(before, largest));
        assertThat(largest.against(Optional.of(before)).isAdmitted()).isTrue();
        assertThat(Fence.parse(largest.toString())).isEqualTo(largest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo/jobs/1",
                "demo/jobs/1/2/3",
                "demo/jobs/1/0",
                "demo/jobs/0/1",
                "demo/jobs/1/+2",
                "demo/jobs/01/2",
                "demo/jobs/1/x",
                "Demo/jobs/1/2",
                "demo/jobs/1/-2",
                "demo//1/2",
                "demo/jobs/1/9007199254740992",
                "demo/jobs/1/99999999999999999999",
                " demo/jobs/1/2"
            })
    void whatIsNoFenceIsNotRead(String text) {
        assertThatThrownBy(() -> Fence.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining("cluster/seat/era/epoch");
    }
}
