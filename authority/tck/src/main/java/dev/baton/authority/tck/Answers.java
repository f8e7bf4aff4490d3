package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An engine's answers, and what to make of them. */
final class Answers {

    /** Longer than any engine's own bound. */
    private static final Duration BOUND = Duration.ofSeconds(60);

    private Answers() {}

    /** The outcome of one call. A stage that fails, or that never completes, is a defect of the engine's adapter. */
    static <R> R of(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the engine", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the stage failed (expected: every failure is an outcome)", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + BOUND + " (expected: the engine bounds it)", e);
        }
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

    /** The outcome as the case that the contract asks for here. */
    static <T> T expect(Class<T> kind, Object outcome) {
        assertThat(outcome).isInstanceOf(kind);
        return kind.cast(outcome);
    }
}
