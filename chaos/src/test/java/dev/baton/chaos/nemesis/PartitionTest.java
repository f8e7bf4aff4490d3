package dev.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Trouble;
import dev.baton.chaos.proxy.Troubles;
import dev.baton.chaos.proxy.Wire;
import dev.baton.chaos.proxy.Wire.Direction;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionTest {

    private static final Wire ACROSS = new Wire("n1", "n2", Link.PEER);
    private static final Wire WITHIN = new Wire("n2", "n3", Link.PEER);
    private static final Wire CLIENT = new Wire("client", "n1", Link.CLIENT);

    @Test
    void bothWaysAcrossAreCutAndNothingElse() {
        Troubles.Strike cut = LinkFaults.partition(Set.of("n1"), "both", Trouble.SILENT);
        assertThat(cut.on(ACROSS, Direction.THERE)).isPresent();
        assertThat(cut.on(ACROSS, Direction.BACK)).isPresent();
        assertThat(cut.on(new Wire("n2", "n1", Link.PEER), Direction.THERE)).isPresent();
        assertThat(cut.on(new Wire("n1", "redis-1", Link.ENGINE), Direction.THERE))
                .isPresent();
        assertThat(cut.on(WITHIN, Direction.THERE)).isEmpty();
    }

    @Test
    void clientsStillReachWhoeverIsCutOff() {
        Troubles.Strike cut = LinkFaults.partition(Set.of("n1"), "both", Trouble.SILENT);
        assertThat(cut.on(CLIENT, Direction.THERE)).isEmpty();
    }

    @Test
    void inMeansThatNothingReachesTheTarget() {
        Troubles.Strike cut = LinkFaults.partition(Set.of("n1"), "in", Trouble.SILENT);
        assertThat(cut.on(ACROSS, Direction.THERE)).as("what n1 says").isEmpty();
        assertThat(cut.on(ACROSS, Direction.BACK)).as("what n1 is answered").isPresent();
        assertThat(cut.on(new Wire("n2", "n1", Link.PEER), Direction.THERE))
                .as("what n1 is asked")
                .isPresent();
    }

    @Test
    void outMeansThatNothingLeavesTheTarget() {
        Troubles.Strike cut = LinkFaults.partition(Set.of("n1"), "out", Trouble.SILENT);
        assertThat(cut.on(ACROSS, Direction.THERE)).isPresent();
        assertThat(cut.on(ACROSS, Direction.BACK)).isEmpty();
    }

    @Test
    void aMajorityOnOneSideStaysConnectedWithin() {
        Troubles.Strike cut = LinkFaults.partition(Set.of("n2", "n3"), "both", Trouble.SILENT);
        assertThat(cut.on(WITHIN, Direction.THERE)).isEmpty();
        assertThat(cut.on(ACROSS, Direction.THERE)).isPresent();
    }
}
