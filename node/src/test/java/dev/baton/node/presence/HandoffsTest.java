package dev.baton.node.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.ClusterId;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.core.standing.Outlook;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.seat.SeatStatus;
import dev.baton.wire.node.v1.Presence;
import dev.baton.wire.node.v1.SeatPresence;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandoffsTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    private PeerChannels channels;
    private Handoffs handoffs;

    @BeforeEach
    void open() throws IOException {
        channels = PeerChannels.open(Optional.empty());
        handoffs = new Handoffs(N1, new PeerTable(N1, () -> 0), channels, "1.2.3", Optional.empty());
    }

    @AfterEach
    void close() {
        channels.close();
    }

    private static SeatPresence.Builder follower() {
        return SeatPresence.newBuilder()
                .setSeat("blocks")
                .setStanding(Standing.Name.FOLLOWER.name())
                .setReady(true)
                .setApplied(100);
    }

    private Optional<String> objection(String version, SeatPresence.Builder there) {
        SeatStatus here = new SeatStatus(
                new SeatId(new ClusterId("dev"), new SeatName("blocks"), new Era(1)),
                N1,
                new Standing.Follower(Outlook.initial(0)), // what it is does not matter here
                null,
                new Head(new Height(105), Hash.ZERO),
                new Height(105),
                new Readiness.Ready(),
                0,
                "");
        return handoffs.unfit(
                here,
                N2,
                Presence.newBuilder()
                        .setNode("n2")
                        .setVersion(version)
                        .addSeats(there)
                        .build());
    }

    @Test
    void aFollowerThatIsReadyAndInStepMayTakeOver() {
        assertThat(objection("1.2.9", follower())).isEmpty();
    }

    /** A ticket for it was issued, and stopped a primary, before the target said that it could not use it. */
    @Test
    void aFencedTargetIsRefusedBeforeAnythingStops() {
        assertThat(objection("1.2.3", follower().setStanding(Standing.Name.FENCED.name())))
                .hasValueSatisfying(why -> assertThat(why).startsWith("to: n2 is fenced"));
    }

    @Test
    void aTargetThatIsPausedOrUnreadyOrBehindOrOfAnotherFamilyIsRefused() {
        assertThat(objection("1.2.3", follower().setStanding(Standing.Name.PAUSED.name())))
                .hasValueSatisfying(why -> assertThat(why).startsWith("to: n2 is paused"));
        assertThat(objection("1.2.3", follower().setReady(false).setNotReady("no disk")))
                .hasValue("to: n2 is not ready: no disk");
        assertThat(objection("1.2.3", follower().setApplied(94)))
                .hasValueSatisfying(why -> assertThat(why).startsWith("to: n2 is 11 entries behind"));
        assertThat(objection("1.3.0", follower()))
                .hasValueSatisfying(why -> assertThat(why).startsWith("to: n2 runs 1.3.0 (expected: 1.2.x"));
    }
}
