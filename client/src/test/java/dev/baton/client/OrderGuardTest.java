package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.client.OrderGuard.Mark;
import dev.baton.wire.token.v1.TokenResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderGuardTest {

    private final OrderGuard guard = new OrderGuard(true);

    @Test
    void requestsThatWereUnderWayTogetherMayBeAnsweredInAnyOrder() {
        Mark first = guard.depart();
        Mark second = guard.depart();

        assertThat(accept(second, 11, 21, 1)).isEmpty();
        assertThat(accept(first, 1, 11, 1)).isEmpty();
    }

    @Test
    void requestThatWasSentAfterAnAnswerMustLieAboveIt() {
        accept(guard.depart(), 11, 21, 1);
        Mark later = guard.depart();

        assertThat(accept(later, 1, 11, 1).orElseThrow()).contains("token 1 (expected: above 20");
        assertThat(accept(later, 21, 22, 1)).isEmpty();
    }

    @Test
    void requestsThatWereUnderWayTogetherMustNotShareAToken() {
        Mark first = guard.depart();
        Mark second = guard.depart();
        Mark third = guard.depart();
        accept(first, 11, 21, 1);

        assertThat(accept(second, 20, 25, 1)).isPresent();
        assertThat(accept(second, 1, 12, 1)).isPresent();
        assertThat(accept(second, 1, 100, 1)).isPresent();
        assertThat(accept(second, 12, 14, 1)).isPresent();
        assertThat(accept(third, 21, 25, 1)).isEmpty();
    }

    @Test
    void revisionNeverFallsBelowOneKnownAtTheFirstSending() {
        Mark early = guard.depart();
        accept(guard.depart(), 1, 2, 7);

        assertThat(accept(early, 2, 3, 6)).as("decided before, arrived later").isEmpty();
        assertThat(accept(guard.depart(), 3, 4, 6).orElseThrow()).contains("revision 6 (expected: 7");
    }

    @Test
    void epochNeverFallsBelowOneKnownAtTheFirstSending() {
        Mark early = guard.depart();
        assertThat(accept(guard.depart(), of(1, 2).setEpoch(7))).isEmpty();

        assertThat(accept(early, of(2, 3).setEpoch(6)))
                .as("decided before, arrived later")
                .isEmpty();
        assertThat(accept(guard.depart(), of(3, 4).setEpoch(6)).orElseThrow())
                .contains("epoch 6 (expected: 7 or higher");
        assertThat(accept(guard.depart(), of(3, 4).setEpoch(7))).isEmpty();
    }

    /** It is told as it was when it was first answered, under whichever term that was. */
    @Test
    void epochOfARetryThatWasRecognisedIsNotCompared() {
        accept(guard.depart(), of(1, 2).setEpoch(7));

        assertThat(accept(guard.depart(), of(2, 3).setEpoch(6).setDuplicate(true)))
                .isEmpty();
        assertThat(accept(guard.depart(), of(3, 4).setEpoch(6)))
                .as("and takes nothing back")
                .isPresent();
    }

    @Test
    void rangesAreForgottenOnceNobodyCanRepeatThem() {
        for (long token = 1; token < 1_000; token++) {
            Mark mark = guard.depart();
            assertThat(accept(mark, token, token + 1, 1)).isEmpty();
            guard.release(mark);
        }
        assertThat(guard.rangesRemembered()).isZero();
    }

    @Test
    void aStreamThatNobodyReadsKeepsNoMoreThanSoManyRanges() {
        OrderGuard.Reading idle = guard.new Reading();
        for (long token = 1; token < 50_000; token += 2) { // others get what lies between
            Mark mark = guard.depart();
            assertThat(accept(mark, token, token + 1, 1)).isEmpty();
            guard.release(mark);
        }
        assertThat(guard.rangesRemembered()).isEqualTo(10_000);
        idle.ends();
        idle.ends();
        assertThat(guard.rangesRemembered()).isZero();
    }

    @Test
    void aStreamKeepsNoRangesBelowWhatItHasRead() {
        OrderGuard.Reading reading = guard.new Reading();
        reading.opens();
        for (long token = 1; token < 10_000; token += 2) {
            assertThat(reading.accept(
                            new TokenRange(token, token + 1, 1),
                            of(token, token + 1).build()))
                    .isEmpty();
        }
        assertThat(guard.rangesRemembered()).isZero();
    }

    private Optional<String> accept(Mark mark, long start, long end, long revision) {
        return accept(mark, of(start, end).setRevision(revision));
    }

    private Optional<String> accept(Mark mark, TokenResponse.Builder response) {
        return guard.accept(
                mark, new TokenRange(response.getStartToken(), response.getEndToken(), 1), response.build());
    }

    private static TokenResponse.Builder of(long start, long end) {
        return TokenResponse.newBuilder().setStartToken(start).setEndToken(end);
    }
}
