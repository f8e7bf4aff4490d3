package dev.baton.node;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what an engine was asked. */
final class Asked {

    /** A change of Redis nodes rides on one of the holder's next entries, after the newcomer has been filled. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private Asked() {}

    /** What was answered; nothing if it took too long. */
    static <T> Optional<T> answer(CompletionStage<T> asked) throws InterruptedException {
        try {
            return Optional.of(asked.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the engine broke", e.getCause());
        }
    }
}
