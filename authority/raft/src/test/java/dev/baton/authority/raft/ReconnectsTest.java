package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Two of three members were alive and could not elect a leader for up to three seconds, because the connection to the
 * one that had just come back still backed off.
 */
class ReconnectsTest {

    private static final long MILLI = 1_000_000;

    private final AtomicInteger reconnected = new AtomicInteger();
    private final List<MemberId> reconnectedToOne = new ArrayList<>();
    private final Reconnects reconnects =
            new Reconnects(reconnected::incrementAndGet, reconnectedToOne::add, Duration.ofMillis(300));

    @Test
    void leavesConnectionsAloneWhileThereIsALeader() {
        for (long millis = 0; millis < 10_000; millis += 100) {
            reconnects.tick(true, millis * MILLI);
        }
        assertThat(reconnected).hasValue(0);
    }

    @Test
    void reconnectsAfterAnElectionTimeoutWithoutALeaderAndOncePerTimeoutFromThenOn() {
        for (long millis = 0; millis <= 300; millis += 100) {
            reconnects.tick(false, millis * MILLI);
        }
        assertThat(reconnected).hasValue(0);
        reconnects.tick(false, 400 * MILLI);
        assertThat(reconnected).hasValue(1);
        reconnects.tick(false, 600 * MILLI);
        assertThat(reconnected).hasValue(1);
        reconnects.tick(false, 800 * MILLI);
        assertThat(reconnected).hasValue(2);
    }

    @Test
    void anElectionThatSucceedsBeginsAnew() {
        reconnects.tick(false, 0);
        reconnects.tick(true, 200 * MILLI);
        reconnects.tick(false, 250 * MILLI);
        reconnects.tick(false, 500 * MILLI);
        assertThat(reconnected).hasValue(0);
    }

    @Test
    void aFollowerThatIsSilentForLongIsConnectedToAnewAndNotAgainAtOnce() {
        MemberId silent = new MemberId("n2");
        Map<MemberId, Duration> silences =
                Map.of(silent, Duration.ofMillis(1300), new MemberId("n3"), Duration.ofMillis(100));
        reconnects.heard(silences, 0);
        reconnects.heard(silences, 1100 * MILLI);
        assertThat(reconnectedToOne).containsExactly(silent);

        reconnects.heard(silences, 1300 * MILLI);
        assertThat(reconnectedToOne).containsExactly(silent, silent);
    }

    @Test
    void aFollowerWithABadMomentKeepsItsConnection() {
        reconnects.heard(Map.of(new MemberId("n2"), Duration.ofMillis(1100)), 0);
        assertThat(reconnectedToOne).isEmpty();
    }
}
