package dev.baton.duty.tokens.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.RequestId;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TokenEndpointTest {

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

    private TokenResponse next(TokenRequest request) {
        return served.tokens().nextToken(request);
    }

    private Served.Failure failure(Answer answer) {
        tokens.answerWith(answer);
        return Served.Failure.of(catchThrowable(() -> next(TokenRequest.getDefaultInstance())));
    }

    @Test
    void everyFieldOfAnAnswerArrives() {
        TokenRequest request = TokenRequest.newBuilder()
                .setNamespace("voucher")
                .setCount(10)
                .setClientId("shop-1")
                .setSequence(5)
                .setAcceptStep(true)
                .build();

        assertThat(next(request))
                .isEqualTo(TokenResponse.newBuilder()
                        .setNamespace("voucher")
                        .setStartToken(1)
                        .setEndToken(11)
                        .setRevision(3)
                        .setEpoch(7)
                        .setHeight(42)
                        .setStep(1)
                        .setSequence(5)
                        .build());
        assertThat(next(request).getDuplicate()).isTrue();
        assertThat(tokens.lastAsk().id()).contains(new RequestId("shop-1", 5));
        assertThat(tokens.lastAsk().acceptStep()).isTrue();
    }

    @Test
    void aPublishedClientThatKnowsOnlyTheFirstFieldsIsServedWithoutAnId() {
        TokenResponse response = next(
                TokenRequest.newBuilder().setNamespace("receipt").setCount(1).build());

        assertThat(response.getStartToken()).isEqualTo(1);
        assertThat(response.getEndToken()).isEqualTo(2);
        assertThat(response.getSequence()).isZero();
        assertThat(tokens.lastAsk().id()).isEmpty();
        assertThat(tokens.lastAsk().acceptStep()).isFalse();
    }

    /** Were half an id taken for none, a retry would silently get other tokens. */
    @Test
    void halfAnIdIsPassedOnToBeRefused() {
        next(TokenRequest.newBuilder()
                .setNamespace("a")
                .setCount(1)
                .setSequence(4)
                .build());
        assertThat(tokens.lastAsk().id()).contains(new RequestId("", 4));

        next(TokenRequest.newBuilder()
                .setNamespace("a")
                .setCount(1)
                .setClientId("c")
                .build());
        assertThat(tokens.lastAsk().id()).contains(new RequestId("c", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID, INVALID_ARGUMENT",
        "NO_NAMESPACE, NOT_FOUND",
        "FROZEN, FAILED_PRECONDITION",
        "SHARDED, FAILED_PRECONDITION",
        "STEPPED, FAILED_PRECONDITION",
        "FORGOTTEN, FAILED_PRECONDITION",
        "FOREIGN_ID, INVALID_ARGUMENT",
        "EXHAUSTED, OUT_OF_RANGE",
        "OVERLOADED, RESOURCE_EXHAUSTED",
        "EXISTS, ALREADY_EXISTS",
        "TOO_MANY_NAMESPACES, FAILED_PRECONDITION"
    })
    void eachRefusalHasItsCodeAndItsReason(Refusal reason, Status.Code code) {
        Served.Failure failure = failure(new Answer.Refused(reason, "count: 0 (expected: 1 or more)"));

        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).isEqualTo("count: 0 (expected: 1 or more)");
        assertThat(failure.reason()).isEqualTo(reason.name());
        assertThat(failure.holder()).isNull();
        assertThat(failure.info().getReason()).isEqualTo(reason.name());
        assertThat(failure.info().getDomain()).isEqualTo("baton.dev");
    }

    /** A code that clients retry must mean that a retry can help. */
    @ParameterizedTest
    @EnumSource(Refusal.class)
    void onlyOverloadAsksForARetry(Refusal reason) {
        Status.Code code = failure(new Answer.Refused(reason, "")).code();

        assertThat(code == Status.Code.RESOURCE_EXHAUSTED || code == Status.Code.UNAVAILABLE)
                .isEqualTo(reason == Refusal.OVERLOADED);
    }

    @Test
    void aNodeThatDoesNotHoldTheSeatSaysWhoDoes() {
        Served.Failure failure = failure(new Answer.NotHolder(Optional.of("10.0.0.2:50051")));

        assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.holder()).isEqualTo("10.0.0.2:50051");
        assertThat(failure.reason()).isNull();
        assertThat(failure.message()).contains("10.0.0.2:50051");
        assertThat(failure.info().getReason()).isEqualTo("NOT_HOLDER");
        assertThat(failure.info().getMetadataMap()).isEqualTo(Map.of("holder", "10.0.0.2:50051"));
    }

    @Test
    void aNodeThatKnowsOfNoHolderSendsAnEmptyAddress() {
        Served.Failure failure = failure(new Answer.NotHolder(Optional.empty()));

        assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.holder()).isEmpty();
    }

    @Test
    void anUnknownOutcomeIsUnavailableAndTellsToRepeatTheId() {
        Served.Failure failure = failure(new Answer.Unknown("fenced", Optional.of("10.0.0.3:50051")));

        assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.holder()).isEqualTo("10.0.0.3:50051");
        assertThat(failure.message()).startsWith("fenced").contains("same request id");
        assertThat(failure.info().getReason()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void aRequestLargerThan64KibIsNotEvenRead() {
        Throwable refused = catchThrowable(() -> next(
                TokenRequest.newBuilder().setNamespace("x".repeat(64 << 10)).build()));

        assertThat(Status.fromThrowable(refused).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(tokens.asked()).isZero();
    }

    @Test
    void aCallerThatLeftDoesNotDisturbItsAnswer() throws Exception {
        tokens.hold(true);
        var call =
                served.futures().nextToken(TokenRequest.newBuilder().setCount(1).build());
        await().until(() -> tokens.held() == 1);
        call.cancel(true);

        FakeTokens.Held held = tokens.take(0);
        assertThat(catchThrowable(() -> held.answer().accept(tokens.handed(held.ask()))))
                .as("what the duty's thread would see")
                .isNull();
    }
}
