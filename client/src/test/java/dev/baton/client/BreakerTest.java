package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.client.ClientStatistics.BreakerState;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private final StandIn node = new StandIn(new Ledger());
    private final Clockwork clockwork = new Clockwork();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void opensWhenTheServiceIsGoneProbesAndCloses() {
        node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
        try (TokenClient client = client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
                fails(client, "UNAVAILABLE");
            }
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.OPEN);

            fails(client, "circuit breaker is OPEN");
            assertThat(node.requests).as("not even asked").hasSize(4);
            assertThat(client.statistics().refusedByBreaker()).isEqualTo(1);

            clockwork.putForward(Duration.ofSeconds(61));
            fails(client, "UNAVAILABLE");
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.HALF_OPEN);
            fails(client, "UNAVAILABLE");
            assertThat(client.statistics().breaker()).as("the probes failed").isEqualTo(BreakerState.OPEN);
            assertThat(node.requests).hasSize(6);

            clockwork.putForward(Duration.ofSeconds(61));
            node.otherwise(StandIn.SERVE);
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.HALF_OPEN);
            assertThat(client.namespace("voucher").next()).isEqualTo(2);
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    void refusalsAreAnswersAndKeepItClosed() {
        node.otherwise(StandIn.refuse(Status.FAILED_PRECONDITION, "FROZEN"));
        try (TokenClient client = client()) {
            for (int i = 0; i < 20; i++) {
                fails(client, "FROZEN");
            }
            node.otherwise(StandIn.refuse(Status.RESOURCE_EXHAUSTED));
            for (int i = 0; i < 20; i++) {
                fails(client, "OVERLOADED");
            }
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
        }
        assertThat(node.requests).hasSize(40);
    }

    @Test
    void redirectsDoNotUseUpTheProbes() {
        try (StandIn holder = new StandIn(new Ledger());
                TokenClient client = client()) {
            node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
            for (int i = 0; i < 4; i++) {
                fails(client, "UNAVAILABLE");
            }
            clockwork.putForward(Duration.ofSeconds(61));
            node.otherwise(StandIn.redirect(holder.address()));
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            assertThat(client.namespace("voucher").next()).isEqualTo(2);
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    void triesOfOneRequestCountAsOne() {
        node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
        try (TokenClient client = clockwork.build(tried(4))) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
                fails(client, "UNAVAILABLE");
            }
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.OPEN);
        }
        assertThat(node.requests).hasSize(16);
    }

    /** Or whoever asks for many tries, to sit out a change of holder, would not get them. */
    @Test
    void whoWasLetInKeepsItsTriesWhenTheBreakerOpens() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
        node.then(new StandIn.After(gate, StandIn.refuse(Status.UNAVAILABLE)));
        try (TokenClient client = clockwork.build(tried(2))) {
            CompletableFuture<TokenRange> early = client.namespace("voucher").nextAsync(5);
            await().atMost(Duration.ofSeconds(30)).until(() -> node.requests.size() == 1);
            for (int i = 0; i < 4; i++) {
                fails(client, "UNAVAILABLE");
            }
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.OPEN);
            node.otherwise(StandIn.SERVE);
            gate.complete(null);

            assertThat(early.join()).isEqualTo(new TokenRange(1, 6, 1));
        } finally {
            gate.complete(null);
        }
    }

    private TokenClientBuilder tried(int tries) {
        return Clockwork.patient(node.address())
                .tries(tries)
                .backoff(Duration.ofMillis(2))
                .breaker(4, 100, Duration.ofSeconds(60), 2);
    }

    @Test
    void streamThatCannotBeOpenedGivesItsProbeBack() {
        AtomicBoolean broken = new AtomicBoolean();
        node.then(StandIn.refuse(Status.UNAVAILABLE));
        try (TokenClient client = clockwork.build(Clockwork.patient(node.address())
                .tries(1)
                .breaker(1, 100, Duration.ofSeconds(60), 1)
                .channels(channel -> channel.intercept(new Breaking(broken, true))))) {
            fails(client, "UNAVAILABLE");
            clockwork.putForward(Duration.ofSeconds(61));
            broken.set(true);
            TokenStream stream = client.namespace("voucher").stream(5);
            assertThatThrownBy(stream::next).hasMessageContaining("broken on purpose");
            stream.close();
            broken.set(false);

            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            assertThat(client.statistics().breaker()).isEqualTo(BreakerState.CLOSED);
        }
    }

    /** gRPC throws, and then tells of the call's end as well. */
    @Test
    void callThatThrowsEndsOnce() {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TokenClient client = clockwork.build(Clockwork.patient(node.address())
                .channels(channel -> channel.intercept(new Breaking(broken, false))))) {
            fails(client, "voucher: ");
            broken.set(false);
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(30))
                    .until(node.requests::isEmpty);
            assertThat(client.statistics().failures()).isEqualTo(1);
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
        }
        assertThat(node.sequences()).containsExactly(2L);
    }

    /** Throws when a call begins, or when its message is sent. */
    private record Breaking(AtomicBoolean broken, boolean atOnce) implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            failIf(atOnce);
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(A message) {
                    failIf(!atOnce);
                    super.sendMessage(message);
                }
            };
        }

        private void failIf(boolean now) {
            if (now && broken.get()) {
                throw new IllegalStateException("broken on purpose");
            }
        }
    }

    private static void fails(TokenClient client, String how) {
        assertThatThrownBy(() -> client.namespace("voucher").next())
                .isInstanceOf(TokenException.class)
                .hasMessageContaining(how);
    }

    private TokenClient client() {
        return clockwork.build(Clockwork.patient(node.address()).tries(1).breaker(4, 100, Duration.ofSeconds(60), 2));
    }
}
