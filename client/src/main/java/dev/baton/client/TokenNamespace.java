package dev.baton.client;

import io.grpc.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;

/**
 * One namespace of the token service; safe for all threads, one for each name and client.
 *
 * <p>Futures are completed on threads of the client, a whole batch after the other: what is attached to them should be
 * short, or go elsewhere ({@code thenApplyAsync}). A future that is cancelled gives its token to another caller of the
 * same batch, or leaves a gap; no token ever goes to two.
 */
public final class TokenNamespace {

    private final String name;
    private final Batcher batcher;
    private final LongFunction<CompletableFuture<TokenRange>> ranges;
    private final LongFunction<TokenStream> streams;

    TokenNamespace(
            String name,
            Batcher batcher,
            LongFunction<CompletableFuture<TokenRange>> ranges,
            LongFunction<TokenStream> streams) {
        this.name = name;
        this.batcher = batcher;
        this.ranges = ranges;
        this.streams = streams;
    }

    public String name() {
        return name;
    }

    /**
     * The next token; blocks until it is there, at most as long as the client's timeout.
     *
     * @throws TokenException if there is none
     */
    public long next() {
        return await(nextAsync());
    }

    /** The next token. Calls that wait at the same time share a request. */
    public CompletableFuture<Long> nextAsync() {
        return batcher.next();
    }

    /**
     * Several tokens in one range; blocks until they are there, at most as long as the client's timeout.
     *
     * @throws TokenException if there are none
     */
    public TokenRange next(long count) {
        return await(nextAsync(count));
    }

    /** Several tokens in one range, by a request of their own. */
    public CompletableFuture<TokenRange> nextAsync(long count) {
        return ranges.apply(count);
    }

    /**
     * Ranges of {@code chunk} tokens, one after the other, until it is closed.
     *
     * @param chunk how many tokens each range has
     */
    public TokenStream stream(long chunk) {
        return streams.apply(chunk);
    }

    Batcher batcher() {
        return batcher;
    }

    private <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(false);
            Thread.currentThread().interrupt();
            throw new TokenException(name, Status.Code.CANCELLED, "interrupted while waiting");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TokenException why
                    ? why.forThisThread()
                    : new IllegalStateException(name + ": " + e.getCause(), e);
        } catch (CancellationException e) {
            throw new TokenException(name, Status.Code.CANCELLED, "cancelled while waiting");
        }
    }
}
