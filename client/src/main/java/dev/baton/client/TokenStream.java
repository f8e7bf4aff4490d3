package dev.baton.client;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One range after the other, as fast as they are read; for one reader.
 *
 * <p>The service sends only a few hundred ranges more than were read: what the connection's window holds. If the
 * holder changes or the connection breaks, the stream goes on at the new holder with the first message that did not
 * arrive, under the same request id: this reader misses none of its ranges and gets none twice. Ranges that were sent
 * but not read when the stream is closed become gaps.
 */
public final class TokenStream implements AutoCloseable {

    private final String namespace;
    private final long chunk;
    private final String clientId;
    private final StreamCalls calls;
    private final OrderGuard guard;
    private final Tries tries;
    private final Consumer<TokenStream> atEnd;
    private long nextSequence = 1;
    private OrderGuard.Mark lastRead;
    private volatile @Nullable StreamAttempt attempt;
    private @Nullable TokenException failure;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    TokenStream(
            String namespace,
            long chunk,
            String clientId,
            StreamCalls calls,
            OrderGuard guard,
            Tries tries,
            Consumer<TokenStream> atEnd) {
        this.namespace = namespace;
        this.chunk = chunk;
        this.clientId = clientId;
        this.calls = calls;
        this.guard = guard;
        this.tries = tries;
        this.atEnd = atEnd;
        this.lastRead = guard.now();
    }

    /**
     * The next range; blocks until it arrives, at most as long as the client's timeout.
     *
     * @throws TokenException if there is none; after that the stream is of no use, unless the reader was interrupted or
     *     the circuit breaker is open: then reading may go on later
     */
    public TokenRange next() {
        if (failure != null) {
            throw failure.forThisThread();
        }
        long deadlineNanos = calls.nowNanos() + calls.timeoutNanos();
        while (true) {
            if (closed.isDone()) {
                throw end(new TokenException(namespace, Status.Code.CANCELLED, "this stream is closed"));
            }
            StreamAttempt current = attempt;
            if (current == null) {
                current = open();
                attempt = current;
                if (closed.isDone()) {
                    calls.cancel(current); // who closed it did not see it
                }
            }
            long remainingNanos = deadlineNanos - calls.nowNanos();
            switch (current.take(Math.min(remainingNanos, calls.attemptTimeoutNanos()))) {
                case StreamAttempt.Message(TokenResponse response) -> {
                    return accept(response);
                }
                case StreamAttempt.Nothing nothing -> giveUpOn(current, deadlineNanos);
                case StreamAttempt.Broken(Throwable why) -> {
                    attempt = null;
                    if (!closed.isDone()) { // or it broke because it was closed
                        goOnAfter(why, current, deadlineNanos);
                    }
                }
            }
        }
    }

    /** A node that keeps silent may hang: the next try is at another one, and misses nothing. */
    private void giveUpOn(StreamAttempt silent, long deadlineNanos) {
        if (Thread.currentThread().isInterrupted()) {
            throw new TokenException(namespace, Status.Code.CANCELLED, "interrupted while waiting");
        }
        StatusRuntimeException late = Status.DEADLINE_EXCEEDED
                .withDescription("nothing arrived in time")
                .asRuntimeException();
        attempt = null;
        try {
            goOnAfter(late, silent, deadlineNanos);
        } finally {
            calls.cancel(silent);
        }
    }

    private StreamAttempt open() {
        if (!calls.permitted()) {
            throw calls.circuitOpen(namespace);
        }
        return calls.open(StreamRequest.newBuilder()
                .setNamespace(namespace)
                .setChunk(chunk)
                .setClientId(clientId)
                .setFirstSequence(nextSequence)
                .setAcceptStep(true)
                .build());
    }

    private TokenRange accept(TokenResponse response) {
        Answers.Checked checked = Answers.check(namespace, chunk, nextSequence, response);
        if (checked instanceof Answers.Malformed malformed) {
            throw end(new TokenException(namespace, Status.Code.INTERNAL, malformed.why()));
        }
        TokenRange range = ((Answers.Sound) checked).range();
        Optional<String> problem = guard.accept(lastRead, range, response);
        if (problem.isPresent()) {
            calls.countStale();
            throw end(new StaleAnswerException(namespace, problem.get()));
        }
        lastRead = new OrderGuard.Mark(
                range.last(), response.getRevision(), Math.max(lastRead.epoch(), response.getEpoch()));
        nextSequence++;
        tries.reset();
        calls.countTokens(range.count());
        return range;
    }

    private void goOnAfter(Throwable why, StreamAttempt ended, long deadlineNanos) {
        switch (calls.judge(namespace, ended, why, tries)) {
            case Verdict.GoTo goTo -> {} // the addresses follow it
            case Verdict.GiveUp(TokenException reason) -> throw end(reason);
            case Verdict.TryAgain(boolean elsewhere, TokenException reason) -> {
                OptionalLong pause = tries.pauseNanos(deadlineNanos - calls.nowNanos());
                if (pause.isEmpty()) {
                    throw end(reason);
                }
                calls.countRetry();
                pause(pause.getAsLong());
            }
        }
    }

    /** Waits until the pause is over or the stream is closed. */
    private void pause(long nanos) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        calls.after(nanos, () -> over.complete(null));
        try {
            CompletableFuture.anyOf(over, closed).get(calls.timeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TokenException(namespace, Status.Code.CANCELLED, "interrupted while waiting to ask again");
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a pause of " + nanos + " ns did not end", e);
        }
    }

    private TokenException end(TokenException why) {
        failure = why;
        close();
        return why;
    }

    /** Ends the stream; may be called from any thread, and again. */
    @Override
    public void close() {
        if (closed.complete(null)) {
            StreamAttempt current = attempt;
            if (current != null) {
                calls.cancel(current);
            }
            atEnd.accept(this);
        }
    }
}
