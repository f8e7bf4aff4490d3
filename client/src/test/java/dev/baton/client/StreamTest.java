package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.wire.token.v1.StreamRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Ledger ledger = new Ledger();
    private final StandIn one = new StandIn(ledger);
    private final StandIn two = new StandIn(ledger);
    private final TokenClient client =
            Clockwork.patient(one.address(), two.address()).build();

    @AfterEach
    void stop() {
        client.close();
        one.close();
        two.close();
    }

    @Test
    void rangesFollowOneAnother() {
        try (TokenStream stream = client.namespace("voucher").stream(10)) {
            for (long start = 1; start < 10_000; start += 10) {
                assertThat(stream.next()).isEqualTo(new TokenRange(start, start + 10, 1));
            }
        }
        assertThat(one.streams).hasSize(1);
    }

    @Test
    void goesOnAtTheNewHolderWithoutAGapOrARepeat() {
        one.breakStreams(7, StandIn.redirect(two.address()));
        two.breakStreams(5, StandIn.refuse(Status.UNAVAILABLE));
        try (TokenStream stream = client.namespace("voucher").stream(3)) {
            for (long start = 1; start < 300; start += 3) {
                assertThat(stream.next()).isEqualTo(new TokenRange(start, start + 3, 1));
            }
        }
        assertThat(one.streams.stream().map(StreamRequest::getFirstSequence)).startsWith(1L, 13L, 25L);
        assertThat(two.streams.stream().map(StreamRequest::getFirstSequence)).startsWith(8L, 20L);
    }

    @Test
    void survivesTheDeathOfTheHolder() {
        try (TokenStream stream = client.namespace("voucher").stream(1)) {
            for (long token = 1; token <= 100; token++) {
                assertThat(stream.next().start()).isEqualTo(token);
            }
            one.close();
            for (long token = 101; token <= 5_000; token++) {
                assertThat(stream.next().start())
                        .as("also those that were reserved but lost")
                        .isEqualTo(token);
            }
        }
    }

    @Test
    void serviceSendsLittleMoreThanIsRead() {
        try (TokenStream stream = client.namespace("voucher").stream(1)) {
            stream.next();
            // what is sent settles once the connection's window is full
            await().atMost(SOON).during(Duration.ofMillis(300)).until(one.streamed::get, sent -> sent < 2_000);
            long ahead = one.streamed.get();
            for (int i = 0; i < 2 * ahead; i++) {
                stream.next();
            }
            assertThat(one.streamed.get()).isGreaterThan(ahead);
        }
    }

    @Test
    void leavesANodeThatKeepsSilent() {
        one.breakStreams(3, StandIn.SERVE); // stops, and does not say so
        try (TokenClient impatient = Clockwork.patient(one.address(), two.address())
                        .timeout(Duration.ofSeconds(60))
                        .attemptTimeout(Duration.ofMillis(300))
                        .build();
                TokenStream stream = impatient.namespace("voucher").stream(1)) {
            for (long token = 1; token <= 100; token++) {
                assertThat(stream.next().start()).isEqualTo(token);
            }
        }
        assertThat(two.streams.getFirst().getFirstSequence()).isEqualTo(4);
    }

    @Test
    void refusalEndsItAndIsToldAgain() {
        one.breakStreams(2, StandIn.refuse(Status.FAILED_PRECONDITION, "FROZEN"));
        try (TokenStream stream = client.namespace("voucher").stream(1)) {
            stream.next();
            stream.next();
            assertThatThrownBy(stream::next).hasMessageContaining("FROZEN");
            assertThatThrownBy(stream::next).hasMessageContaining("FROZEN");
        }
        assertThat(one.streams).hasSize(1);
    }

    @Test
    void triesAreCountedFromTheLastRangeThatArrived() {
        one.breakStreams(0, StandIn.refuse(Status.UNAVAILABLE));
        two.breakStreams(0, StandIn.refuse(Status.UNAVAILABLE));
        try (TokenStream stream = client.namespace("voucher").stream(1)) {
            assertThatThrownBy(stream::next).hasMessageContaining("UNAVAILABLE");
        }
        assertThat(one.streams.size() + two.streams.size()).isEqualTo(3);
    }

    @Test
    void rewoundServerIsFoundOut() {
        one.breakStreams(5, StandIn.refuse(Status.UNAVAILABLE));
        try (TokenStream stream = client.namespace("voucher").stream(2)) {
            for (int i = 0; i < 5; i++) {
                stream.next();
            }
            ledger.rewind("voucher", 3);
            assertThatThrownBy(stream::next).isInstanceOf(StaleAnswerException.class);
        }
        assertThat(client.statistics().staleAnswers()).isEqualTo(1);
    }

    /**
     * The number before was refused when this one was reserved, so it has got its tokens later: that is no node that fell
     * back.
     */
    @Test
    void whatAnEarlierOpeningReservedMayLieBelow() {
        one.breakStreams(2, StandIn.refuse(Status.RESOURCE_EXHAUSTED));
        try (TokenStream stream = client.namespace("voucher").stream(3)) {
            stream.next();
            stream.next();
            ledger.reserve("voucher", 3, one.streams.getFirst().getClientId(), 4);

            assertThat(stream.next()).isEqualTo(new TokenRange(10, 13, 1));
            assertThat(stream.next()).isEqualTo(new TokenRange(7, 10, 1));
            assertThat(stream.next()).isEqualTo(new TokenRange(13, 16, 1));
        }
        assertThat(client.statistics().staleAnswers()).isZero();
    }

    @Test
    void tokensThatCallsGotMeanwhileAreNotHandedOutByAStreamThatGoesOn() {
        one.breakStreams(1, StandIn.refuse(Status.UNAVAILABLE));
        try (TokenStream stream = client.namespace("voucher").stream(3)) {
            assertThat(stream.next()).isEqualTo(new TokenRange(1, 4, 1));
            assertThat(client.namespace("voucher").next(10)).isEqualTo(new TokenRange(4, 14, 1));
            ledger.rewind("voucher", 4);

            assertThatThrownBy(stream::next).isInstanceOf(StaleAnswerException.class);
        }
        assertThat(client.statistics().staleAnswers()).isEqualTo(1);
    }

    @Test
    void tokensThatCallsGotMeanwhileAreNotHandedOutByAStreamThatIsOpen() {
        try (TokenStream stream = client.namespace("voucher").stream(1)) {
            stream.next();
            // what is sent settles once the connection's window is full
            await().atMost(SOON).during(Duration.ofMillis(300)).until(one.streamed::get, sent -> sent < 2_000);
            TokenRange called = client.namespace("voucher").next(10_000);
            ledger.rewind("voucher", called.start());

            assertThatThrownBy(() -> {
                        for (long read = 1; read < called.end(); read++) {
                            stream.next();
                        }
                    })
                    .isInstanceOf(StaleAnswerException.class)
                    .hasMessageContaining("which answered another request");
        }
    }

    @Test
    void closingTheClientEndsAReaderThatWaits() throws Exception {
        one.breakStreams(0, StandIn.refuse(Status.UNAVAILABLE));
        two.breakStreams(0, StandIn.refuse(Status.UNAVAILABLE));
        try (TokenClient patient = Clockwork.patient(one.address())
                .tries(1_000)
                .timeout(Duration.ofMinutes(10))
                .backoff(Duration.ofMinutes(5))
                .backoffCap(Duration.ofMinutes(5))
                .build()) {
            TokenStream stream = patient.namespace("voucher").stream(1);
            CompletableFuture<Void> reader = CompletableFuture.runAsync(stream::next);
            await().atMost(SOON).until(() -> patient.statistics().retries() == 1);
            patient.close();
            assertThatThrownBy(reader::join).hasMessageContaining("closed");
        }
    }
}
