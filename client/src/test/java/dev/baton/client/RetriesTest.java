package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class RetriesTest {

    private final StandIn node = new StandIn(new Ledger());
    private final Clockwork clockwork = new Clockwork().dice(0.25);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void retryKeepsItsIdSoThatALostAnswerIsGivenAgain() {
        node.then(new StandIn.ServeButRefuse(Status.UNAVAILABLE));
        try (TokenClient client = client()) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            assertThat(client.namespace("voucher").next()).isEqualTo(2);
        }
        assertThat(node.sequences()).containsExactly(1L, 1L, 2L);
        assertThat(node.requests).allMatch(request -> !request.getClientId().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED"})
    void isTriedThreeTimesWithFullJitterFrom100Millis(Status.Code code) {
        node.otherwise(StandIn.refuse(code.toStatus().withDescription("not now")));
        try (TokenClient client = client()) {
            assertThatThrownBy(() -> client.namespace("voucher").next())
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> {
                        assertThat(why.code()).isEqualTo(code);
                        assertThat(why.namespace()).isEqualTo("voucher");
                        assertThat(why).hasMessageContaining("not now").hasMessageContaining(node.address());
                    });
            assertThat(client.statistics().retries()).isEqualTo(2);
            assertThat(client.statistics().failures()).isEqualTo(1);
        }
        assertThat(node.sequences()).containsExactly(1L, 1L, 1L);
        assertThat(clockwork.pausesNanos).containsExactly(25_000_000L, 50_000_000L);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"OK", "UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED"})
    void everyOtherCodeFailsAtOnce(Status.Code code) {
        node.otherwise(StandIn.refuse(code.toStatus().withDescription("never")));
        try (TokenClient client = client()) {
            assertThatThrownBy(() -> client.namespace("voucher").next(5))
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.code()).isEqualTo(code));
        }
        assertThat(node.requests).hasSize(1);
    }

    @Test
    void refusalIsNamed() {
        node.then(
                StandIn.refuse(Status.FAILED_PRECONDITION, "FROZEN"),
                StandIn.refuse(Status.OUT_OF_RANGE),
                StandIn.refuse(Status.FAILED_PRECONDITION));
        try (TokenClient client = client()) {
            TokenNamespace voucher = client.namespace("voucher");
            assertThatThrownBy(voucher::next)
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.refusal()).contains(Refusal.FROZEN));
            assertThatThrownBy(voucher::next)
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.refusal()).contains(Refusal.EXHAUSTED));
            assertThatThrownBy(voucher::next)
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.refusal()).isEmpty());
        }
    }

    @Test
    void tryThatHangsIsGivenUpAndRepeatedUnderTheSameId() {
        CompletableFuture<Void> never = new CompletableFuture<>();
        node.then(new StandIn.ServeAfter(never));
        try (TokenClient client = clockwork.build(TokenClient.builder(node.address())
                .timeout(Duration.ofSeconds(60))
                .attemptTimeout(Duration.ofMillis(300)))) {
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
        } finally {
            never.complete(null);
        }
        assertThat(node.sequences().subList(0, 2)).containsExactly(1L, 1L);
    }

    @Test
    void callersTimeIsUpWhateverTheTriesDo() {
        CompletableFuture<Void> never = new CompletableFuture<>();
        node.otherwise(new StandIn.ServeAfter(never));
        try (TokenClient client = clockwork.build(TokenClient.builder(node.address())
                .tries(1_000)
                .timeout(Duration.ofMillis(400))
                .attemptTimeout(Duration.ofSeconds(30)))) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> client.namespace("voucher").next())
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
            assertThatThrownBy(() -> client.namespace("voucher").next(3))
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
        } finally {
            never.complete(null);
        }
    }

    @Test
    void noPauseGoesBeyondTheDeadline() {
        node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
        clockwork.dice(0.99);
        try (TokenClient client = clockwork.build(TokenClient.builder(node.address())
                .tries(100)
                .backoff(Duration.ofSeconds(100))
                .backoffCap(Duration.ofSeconds(100)))) {
            assertThatThrownBy(() -> client.namespace("voucher").next())
                    .asInstanceOf(type(TokenException.class))
                    .satisfies(why -> assertThat(why.code()).isEqualTo(Status.Code.UNAVAILABLE));
        }
        assertThat(node.requests).hasSize(1);
        assertThat(clockwork.pausesNanos).isEmpty();
    }

    private TokenClient client() {
        return clockwork.build(TokenClient.builder(node.address()));
    }
}
