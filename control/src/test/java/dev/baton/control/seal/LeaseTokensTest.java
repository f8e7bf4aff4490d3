package dev.baton.control.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.baton.core.Epoch;
import dev.baton.core.SeatId;
import org.junit.jupiter.api.Test;

class LeaseTokensTest {

    private static final SeatId SEAT = SeatId.of("demo", "blocks");
    private static final Epoch EPOCH = new Epoch(3);

    private final LeaseTokens tokens = new LeaseTokens(ClusterKey.random());

    @Test
    void aTokenNamesItsTerm() {
        assertThat(tokens.objection(tokens.issue(SEAT, EPOCH), SEAT, EPOCH)).isEmpty();
    }

    @Test
    void aTokenOfATermThatIsOverIsRefused() {
        assertThat(tokens.objection(tokens.issue(SEAT, EPOCH), SEAT, new Epoch(4)))
                .hasValueSatisfying(why -> assertThat(why).contains("of term 3", "expected: 4"));
    }

    @Test
    void aTokenOfAnotherSeatIsRefused() {
        assertThat(tokens.objection(tokens.issue(SeatId.of("demo", "other"), EPOCH), SEAT, EPOCH))
                .isPresent();
    }

    @Test
    void aTokenOfAnotherClustersKeyIsRefused() {
        ByteString foreign = new LeaseTokens(ClusterKey.random()).issue(SEAT, EPOCH);

        assertThat(tokens.objection(foreign, SEAT, EPOCH))
                .hasValueSatisfying(why -> assertThat(why).contains("seal"));
    }

    @Test
    void noTokenAndNonsenseAreRefused() {
        assertThat(tokens.objection(ByteString.EMPTY, SEAT, EPOCH))
                .hasValueSatisfying(why -> assertThat(why).contains("missing"));
        assertThat(tokens.objection(ByteString.copyFromUtf8("nonsense"), SEAT, EPOCH))
                .isPresent();
    }
}
