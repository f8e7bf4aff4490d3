package dev.baton.duty.tokens.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.RequestId;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TokenStreamTest {

    private static final int PLENTY = 1_000_000;

    private final FakeTokens tokens = new FakeTokens();
    private @SuppressWarnings("NullAway.Init") Served served;

    @BeforeEach
    void serve() throws IOException {
        served = Served.open(tokens);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private static StreamRequest.Builder request() {
        return StreamRequest.newBuilder().setNamespace("voucher").setChunk(10);
    }

    private Reader open(StreamRequest.Builder request) {
        return Reader.open(served.channel(), request.build());
    }

    private static Served.Failure failure(Reader reader) {
        return Served.Failure.of(Objects.requireNonNull(reader.failure(), "the stream was completed"));
    }

    private static List<Long> starts(List<TokenResponse> messages) {
        return messages.stream().map(TokenResponse::getStartToken).toList();
    }

    private static List<Long> sequences(List<TokenResponse> messages) {
        return messages.stream().map(TokenResponse::getSequence).toList();
    }

    @Test
    void asManyMessagesComeAsWereAskedForEachWithTheNextSequenceNumber() {
        Reader reader = open(request().setMessages(500).setClientId("c").setFirstSequence(11));
        reader.read(PLENTY);

        assertThat(reader.failure()).isNull();
        assertThat(sequences(reader.messages()))
                .isEqualTo(LongStream.range(11, 511).boxed().toList());
        assertThat(starts(reader.messages()))
                .isEqualTo(LongStream.range(0, 500).map(n -> 1 + 10 * n).boxed().toList());
        assertThat(tokens.lastAsk().id()).contains(new RequestId("c", 510));
        assertThat(tokens.asked()).as("nothing was reserved beyond the end").isEqualTo(500);
    }

    @Test
    void withoutAClientMessagesHaveNoSequenceNumbers() {
        Reader reader = open(request().setMessages(3));
        reader.read(PLENTY);

        assertThat(reader.failure()).isNull();
        assertThat(sequences(reader.messages())).containsExactly(0L, 0L, 0L);
        assertThat(tokens.lastAsk().id()).isEmpty();
    }

    /** What a client of 64 KiB of window lets come before it reads, and the few bytes that wait at the server. */
    @Test
    void aReaderThatStopsReservesNoMoreThanFitsOnTheWay() {
        Reader reader = open(request().setClientId("c").setFirstSequence(1));
        int fits = (65_535 + TokenStream.READY_BYTES) / 28 + TokenStream.UNDER_WAY; // no message is smaller
        await().until(() -> tokens.asked() > 100);
        await().during(Duration.ofMillis(700)).until(() -> tokens.asked() <= fits);

        reader.read(5000);
        await().until(() -> reader.count() == 5000);
        assertThat(sequences(reader.messages()))
                .as("it goes on where it stopped")
                .isEqualTo(LongStream.rangeClosed(1, 5000).boxed().toList());
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> tokens.asked() <= 5000 + fits);
    }

    @Test
    void onlyAFewRequestsOfAStreamAreUnderWayAtATime() {
        tokens.hold(true);
        Reader reader = open(request());
        reader.read(PLENTY);

        await().until(() -> tokens.held() == TokenStream.UNDER_WAY);
        await().during(Duration.ofMillis(300)).until(() -> tokens.held() == TokenStream.UNDER_WAY);
        answer(0);
        await().until(() -> tokens.asked() == TokenStream.UNDER_WAY + 1);
    }

    private void answer(int index) {
        FakeTokens.Held held = tokens.take(index);
        held.answer().accept(tokens.handed(held.ask()));
    }

    @Test
    void messagesComeInTheOrderOfTheirSequenceNumbersWhateverIsAnsweredFirst() {
        tokens.hold(true);
        Reader reader = open(request().setMessages(4).setClientId("c").setFirstSequence(1));
        reader.read(PLENTY);
        await().until(() -> tokens.held() == 4);
        for (int last = 3; last >= 0; last--) {
            answer(last);
        }

        assertThat(reader.failure()).isNull();
        assertThat(sequences(reader.messages())).containsExactly(1L, 2L, 3L, 4L);
        assertThat(starts(reader.messages())).containsExactly(31L, 21L, 11L, 1L);
    }

    /** One that waits for an entry would be overtaken by one that comes when there are tokens again. */
    @Test
    void aStreamOfALeasedNamespaceAsksForOneRangeAtATimeSoThatItsRangesAscend() {
        tokens.guarantee(Guarantee.LEASED);
        tokens.hold(true);
        Reader reader = open(request().setMessages(3));
        reader.read(PLENTY);

        await().until(() -> tokens.held() == 1);
        await().during(Duration.ofMillis(300)).until(() -> tokens.held() == 1);
        tokens.hold(false); // from here on there are tokens at once
        answer(0);

        assertThat(reader.failure()).isNull();
        assertThat(tokens.mostHeld()).isEqualTo(1);
        assertThat(starts(reader.messages())).containsExactly(1L, 11L, 21L);
    }

    @Test
    void aReaderThatLeavesIsAskedForNoMore() {
        Reader reader = open(request());
        reader.read(50);
        await().until(() -> reader.count() == 50 && served.listener().streams() == 1);

        reader.cancel();

        await().until(() -> served.listener().streams() == 0);
        int asked = tokens.asked();
        await().during(Duration.ofMillis(300)).until(() -> tokens.asked() == asked);
    }

    @Test
    void aRefusalEndsTheStreamWithItsStatus() {
        tokens.answerWith(new Answer.Refused(Refusal.EXHAUSTED, "3 left"));
        Reader reader = open(request());
        reader.read(PLENTY);

        Served.Failure failure = failure(reader);
        assertThat(failure.code()).isEqualTo(Status.Code.OUT_OF_RANGE);
        assertThat(failure.reason()).isEqualTo("EXHAUSTED");
        await().until(() -> served.listener().streams() == 0);
    }

    @Test
    void aNegativeNumberOfMessagesIsRefused() {
        Reader reader = open(request().setMessages(-1));
        reader.read(PLENTY);

        Served.Failure failure = failure(reader);
        assertThat(failure.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.message()).startsWith("messages: -1 (expected: ");
        assertThat(tokens.asked()).isZero();
    }

    @Test
    void aNodeThatDoesNotHoldTheSeatNamesTheHolderAtOnce() {
        tokens.answerWith(new Answer.NotHolder(Optional.of("10.0.0.2:50051")));
        Reader reader = open(request());
        reader.read(PLENTY);

        assertThat(failure(reader).holder()).isEqualTo("10.0.0.2:50051");
    }

    @Test
    void anIdleStreamEndsWithItsTerm() {
        Reader reader = open(request());
        reader.read(1);
        await().until(() -> reader.count() == 1 && tokens.termEars() == 1);

        tokens.endTerm("handed off");
        reader.read(PLENTY);

        Served.Failure failure = failure(reader);
        assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.message()).startsWith("the term ended: handed off");
        assertThat(failure.info().getReason()).isEqualTo("TERM_ENDED");
        assertThat(failure.holder()).isEmpty();
    }

    @Test
    void whatIsUnderWayWhenTheTermEndsIsStillDelivered() {
        Reader reader = open(request().setClientId("c").setFirstSequence(1));
        reader.read(1);
        await().until(() -> reader.count() == 1 && tokens.termEars() == 1);
        tokens.hold(true);
        reader.read(PLENTY);
        await().until(() -> tokens.held() == TokenStream.UNDER_WAY);

        tokens.endTerm("handed off");
        int asked = tokens.asked();
        while (tokens.held() > 0) {
            answer(0);
        }

        assertThat(failure(reader).info().getReason()).isEqualTo("TERM_ENDED");
        assertThat(reader.count()).as("all that was committed").isEqualTo(asked);
        assertThat(tokens.asked()).as("nothing is asked for after the end").isEqualTo(asked);
    }

    /** As a client does it: the first message that did not arrive is asked for again, wherever the holder is now. */
    @Test
    void aStreamThatBrokeIsResumedWithoutAGapOrARepeat() {
        List<TokenResponse> all = new ArrayList<>();
        for (int term = 0; term < 5; term++) {
            tokens.hold(false);
            int before = all.size();
            Reader reader = open(request().setClientId("c").setFirstSequence(before + 1));
            reader.read(PLENTY);
            await().until(() -> reader.count() > 20 && tokens.termEars() == 1);
            tokens.hold(true);
            await().until(() -> tokens.held() == TokenStream.UNDER_WAY);
            tokens.endTerm("fenced");
            FakeTokens.Held first = tokens.take(0);
            first.answer().accept(tokens.handed(first.ask())); // committed, and delivered
            FakeTokens.Held second = tokens.take(0);
            tokens.handed(second.ask()); // committed, but the holder did not learn of it
            second.answer().accept(new Answer.Unknown("fenced", Optional.of("10.0.0.2:50051")));
            while (tokens.held() > 0) {
                tokens.take(0).answer().accept(new Answer.NotHolder(Optional.of("10.0.0.2:50051")));
            }
            Served.Failure failure = failure(reader);
            assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.holder()).isEqualTo("10.0.0.2:50051");
            all.addAll(reader.messages());
        }

        assertThat(sequences(all))
                .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
        assertThat(starts(all))
                .as("each range once, and none left out")
                .isEqualTo(LongStream.range(0, all.size())
                        .map(n -> 1 + 10 * n)
                        .boxed()
                        .toList());
    }

    /** Each stream that listened for itself would be kept until the term ends. */
    @Test
    void aThousandStreamsOfOneTermLeaveOneEarBehind() {
        for (int i = 0; i < 1000; i++) {
            Reader reader = open(request().setMessages(1));
            reader.read(1);
            assertThat(reader.failure()).isNull();
        }

        assertThat(tokens.termEars()).isEqualTo(1);
        await().until(() -> served.listener().streams() == 0);
    }
}
