package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HolderTest {

    private final Ledger ledger = new Ledger();
    private final StandIn one = new StandIn(ledger);
    private final StandIn two = new StandIn(ledger);
    private final Clockwork clockwork = new Clockwork();

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void goesWhereANodePointsAtOnceAndStaysThere() {
        one.otherwise(StandIn.redirect(two.address()));
        try (TokenClient client =
                clockwork.build(Clockwork.patient(one.address()).tries(1))) {
            for (long token = 1; token <= 10; token++) {
                assertThat(client.namespace("voucher").next()).isEqualTo(token);
            }
            assertThat(client.statistics().redirects()).isEqualTo(1);
            assertThat(client.statistics().retries()).isZero();
            assertThat(client.statistics().address()).isEqualTo(two.address());
        }
        assertThat(one.requests).hasSize(1);
        assertThat(two.sequences()).startsWith(1L, 2L).hasSize(10);
        assertThat(clockwork.pausesNanos).isEmpty();
    }

    @Test
    void followsAHolderThatMovesUnderTheSameId() {
        one.then(StandIn.SERVE, new StandIn.ServeButRefuse(Status.UNAVAILABLE));
        one.otherwise(StandIn.redirect(two.address()));
        try (TokenClient client = clockwork.build(Clockwork.patient(one.address()))) {
            assertThat(client.namespace("voucher").next(5)).isEqualTo(new TokenRange(1, 6, 1));
            assertThat(client.namespace("voucher").next(5)).isEqualTo(new TokenRange(6, 11, 1));
        }
        assertThat(two.sequences()).containsExactly(2L);
    }

    @Test
    void goesRoundTheAddressesWhenConnectionsAreRefused() {
        String gone = one.address();
        one.close();
        try (TokenClient client = clockwork.build(Clockwork.patient(gone, two.address()))) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            assertThat(client.statistics().address()).isEqualTo(two.address());
        }
    }

    @Test
    void goesOnAtTheNextAddressWhenTheHolderDies() {
        try (TokenClient client = clockwork.build(Clockwork.patient(one.address(), two.address()))) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            one.close();
            assertThat(client.namespace("voucher").next()).isEqualTo(2);
        }
        assertThat(two.requests).hasSize(1);
    }

    @Test
    void findsANodeAgainThatWasAwayForLong() {
        int port = one.port();
        one.close();
        try (TokenClient client = clockwork.build(
                Clockwork.patient("127.0.0.1:" + port).tries(2).breaker(1_000, 100, Duration.ofSeconds(1), 1))) {
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> client.namespace("voucher").next()).isInstanceOf(TokenException.class);
            }
            try (StandIn back = new StandIn(ledger, port)) {
                assertThat(client.namespace("voucher").next()).isEqualTo(1);
                assertThat(back.requests).hasSize(1);
            }
        }
    }

    /** As after a machine was cut off: what is sent over connections from before gets no answer, new ones work. */
    @Test
    void leavesAConnectionOverWhichNothingComes() throws Exception {
        try (Relay relay = new Relay(one.port());
                TokenClient client = clockwork.build(Clockwork.patient(relay.address())
                        .timeout(Duration.ofSeconds(20))
                        .attemptTimeout(Duration.ofMillis(1_200))
                        .tries(100))) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            relay.goDumb();

            assertThat(client.namespace("voucher").next()).isEqualTo(2);
        }
    }

    @Test
    void aStreamLeavesAConnectionOverWhichNothingComes() throws Exception {
        one.breakStreams(1, StandIn.SERVE); // then it keeps silent
        try (Relay relay = new Relay(one.port());
                TokenClient client = clockwork.build(Clockwork.patient(relay.address())
                        .timeout(Duration.ofSeconds(20))
                        .attemptTimeout(Duration.ofMillis(1_200))
                        .tries(100));
                TokenStream stream = client.namespace("voucher").stream(1)) {
            assertThat(stream.next().start()).isEqualTo(1);
            relay.goDumb();

            assertThat(stream.next().start()).isEqualTo(2);
        }
    }

    @Test
    void nodesThatNameEachOtherDoNotKeepARequestRunning() {
        one.otherwise(StandIn.redirect(two.address()));
        two.otherwise(StandIn.redirect(one.address()));
        try (TokenClient client = clockwork.build(Clockwork.patient(one.address(), two.address()))) {
            assertThatThrownBy(() -> client.namespace("voucher").next()).hasMessageContaining("does not hold the seat");
        }
        assertThat(one.requests.size() + two.requests.size()).isEqualTo(15);
    }

    @Test
    void holderThatIsNoAddressIsNotFollowed() {
        one.then(StandIn.redirect("nobody knows"), StandIn.redirect(""));
        try (TokenClient client = clockwork.build(Clockwork.patient(one.address()))) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
        }
        assertThat(one.sequences()).containsExactly(1L, 1L, 1L);
    }
}
