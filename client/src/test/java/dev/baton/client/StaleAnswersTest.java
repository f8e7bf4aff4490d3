package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaleAnswersTest {

    private final Ledger ledger = new Ledger();
    private final StandIn node = new StandIn(ledger);
    private final TokenClient client = Clockwork.patient(node.address()).build();
    private final TokenNamespace voucher = client.namespace("voucher");

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    @Test
    void tokensOfARewoundServerAreNotHandedOut() {
        voucher.next(10);
        ledger.rewind("voucher", 5);

        assertThatThrownBy(voucher::next)
                .isInstanceOf(StaleAnswerException.class)
                .hasMessageContaining("token 5 (expected: above 10");
        assertThat(client.statistics().staleAnswers()).isEqualTo(1);
        assertThatThrownBy(() -> voucher.next(3)).isInstanceOf(StaleAnswerException.class);
    }

    @Test
    void lowerRevisionIsRefusedForItsNamespaceOnly() {
        ledger.revision(7);
        voucher.next();
        ledger.revision(6);

        assertThatThrownBy(voucher::next)
                .isInstanceOf(StaleAnswerException.class)
                .hasMessageContaining("revision 6 (expected: 7");
        assertThat(client.namespace("receipt").next()).isEqualTo(1);
        ledger.revision(8);
        assertThat(voucher.next()).isEqualTo(3);
    }

    /** A node that was deposed and does not know it: its tokens look well, its epoch does not. */
    @Test
    void lowerEpochIsRefusedForItsNamespaceOnly() {
        ledger.epoch(7);
        voucher.next();
        ledger.epoch(6);

        assertThatThrownBy(voucher::next)
                .isInstanceOf(StaleAnswerException.class)
                .hasMessageContaining("epoch 6 (expected: 7");
        assertThat(client.statistics().staleAnswers()).isEqualTo(1);
        assertThat(client.namespace("receipt").next()).isEqualTo(1);
        ledger.epoch(7);
        assertThat(voucher.next()).isEqualTo(3);
    }

    @Test
    void aStreamRefusesALowerEpoch() {
        ledger.epoch(7);
        try (TokenStream stream = voucher.stream(5)) {
            stream.next();
            ledger.epoch(6);

            assertThatThrownBy(() -> {
                        while (true) {
                            stream.next();
                        }
                    })
                    .isInstanceOf(StaleAnswerException.class)
                    .hasMessageContaining("epoch 6 (expected: 7");
        }
    }

    @Test
    void oneRangeForTwoRequestsUnderWayIsHandedOutOnce() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        node.then(new StandIn.ServeAfter(gate));
        CompletableFuture<TokenRange> first = voucher.nextAsync(5);
        await().atMost(Duration.ofSeconds(30)).until(() -> node.requests.size() == 1);
        assertThat(voucher.next(5)).isEqualTo(new TokenRange(1, 6, 1));
        ledger.rewind("voucher", 1);
        gate.complete(null);

        assertThatThrownBy(first::join)
                .hasCauseInstanceOf(StaleAnswerException.class)
                .hasMessageContaining("answered another request");
    }

    /** Where order is not compared nothing else would find it. */
    @Test
    void tokensOfARewoundServerAreNotHandedOutWhereOrderIsNotComparedEither() {
        try (TokenClient any =
                Clockwork.patient(node.address()).checkOrder(false).build()) {
            TokenNamespace click = any.namespace("click");
            click.next(10);
            click.next(10);
            ledger.rewind("click", 5);

            assertThatThrownBy(click::next)
                    .isInstanceOf(StaleAnswerException.class)
                    .hasMessageContaining("which answered another request");
            ledger.rewind("click", 21);
            assertThat(click.next()).isEqualTo(21);
        }
    }

    @Test
    void answersThatAreNoneAreRefused() {
        node.then(
                new StandIn.ServeAltered(
                        answer -> answer.toBuilder().setNamespace("other").build()),
                new StandIn.ServeAltered(
                        answer -> answer.toBuilder().setSequence(99).build()),
                new StandIn.ServeAltered(answer ->
                        answer.toBuilder().setEndToken(answer.getEndToken() + 1).build()),
                new StandIn.ServeAltered(
                        answer -> answer.toBuilder().setStartToken(0).build()),
                new StandIn.ServeAltered(
                        answer -> answer.toBuilder().setStep(-1).build()));
        for (String why : List.of("namespace other", "request 99", "3 tokens", "[0, ", "step -1")) {
            assertThatThrownBy(() -> voucher.next(2))
                    .isInstanceOf(TokenException.class)
                    .hasMessageContaining(Status.Code.INTERNAL.name())
                    .hasMessageContaining(why);
        }
        assertThat(voucher.next(2).count()).isEqualTo(2);
    }
}
