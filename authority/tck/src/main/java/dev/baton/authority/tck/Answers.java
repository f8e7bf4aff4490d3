package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Page;
import dev.baton.authority.Promotion;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Waiting for an engine's answers, patiently: machines are noisy, and nothing here measures speed. */
final class Answers {

    /** Within this time every stage completes, and everything that must happen has happened. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(20);

    private Answers() {}

    /** The outcome of one call. A stage that fails, or that never completes, is a defect of the engine's adapter. */
    static <R> R of(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the engine", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the stage failed (expected: every failure is an outcome)", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + PATIENCE + " (expected: the engine bounds it)", e);
        }
    }

    /** Asks again and again until an answer is of the expected kind. */
    static <R> R until(String expectation, Supplier<R> question, Predicate<R> expected) {
        R first = question.get();
        if (expected.test(first)) {
            return first; // mostly so; Awaitility would start a thread for it
        }
        return Awaitility.await(expectation)
                .atMost(PATIENCE)
                .pollDelay(POLL)
                .pollInterval(POLL)
                .until(question::get, expected);
    }

    /** An engine that is just moving (a Raft election) may be out of reach for a moment, and may not know. */
    static boolean isDecided(Appended outcome) {
        return switch (outcome) {
            case Appended.Committed ignored -> true;
            case Appended.Fenced ignored -> true;
            case Appended.Conflict ignored -> true;
            case Appended.Indeterminate ignored -> false;
            case Appended.Unavailable ignored -> false;
        };
    }

    /** Whether a contender knows who holds the seat. A refusal may be for the moment: on Raft the leadership moves. */
    static boolean isDecided(Promotion outcome) {
        return switch (outcome) {
            case Promotion.Elected ignored -> true;
            case Promotion.Held ignored -> true;
            case Promotion.Refused ignored -> false;
            case Promotion.Unavailable ignored -> false;
            case Promotion.Indeterminate ignored -> false;
        };
    }

    static boolean isDecided(Page page) {
        return !(page instanceof Page.Unavailable);
    }

    /** The outcome as the case that the contract asks for here. */
    static <T> T expect(Class<T> kind, Object outcome) {
        assertThat(outcome).isInstanceOf(kind);
        return kind.cast(outcome);
    }
}
