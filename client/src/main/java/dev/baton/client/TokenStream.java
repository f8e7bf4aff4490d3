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
    private final OrderGuard.Reading reading;
    private final Tries tries;
    private final Consumer<TokenStream> atEnd;
    private long nextSequence = 1;
    private volatile @Nullable StreamAttempt attempt;
    private volatile @Nullable Permit permit; // from the first try until a message has been read
    private @Nullable TokenException failure;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    TokenStream(
            String namespace,
            long chunk,
            String clientId,
            StreamCalls calls,
            OrderGuard.Reading reading,
            Tries tries,
            Consumer<TokenStream> atEnd) {
        this.namespace = namespace;
        this.chunk = chunk;
        this.clientId = clientId;
        this.calls = calls;
        this.reading = reading;
        this.tries = tries;
        this.atEnd = atEnd;
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
                    current.cancel(); // who closed it did not see it
                    letGo();
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
            letGo(); // perhaps nobody ever reads on
            throw new TokenException(namespace, Status.Code.CANCELLED, "interrupted while waiting");
        }
        StatusRuntimeException late = Status.DEADLINE_EXCEEDED
                .withDescription("nothing arrived in time")
                .asRuntimeException();
        attempt = null;
        silent.missed();
        try {
            goOnAfter(late, silent, deadlineNanos);
        } finally {
            silent.cancel();
        }
    }

    /** The breaker need not wait to hear what came of it, unless it has heard. */
    private void letGo() {
        Permit given = permit;
        permit = null;
        if (given != null) {
            given.undecided();
        }
    }

    private StreamAttempt open() {
        Permit given = permit;
        if (given == null) {
            given = calls.permit().orElseThrow(() -> calls.circuitOpen(namespace));
            permit = given;
        }
        reading.opens();
        try {
            return calls.open(
                    StreamRequest.newBuilder()
                            .setNamespace(namespace)
                            .setChunk(chunk)
                            .setClientId(clientId)
                            .setFirstSequence(nextSequence)
                            .setAcceptStep(true)
                            .build(),
                    given);
        } catch (RuntimeException e) {
            given.undecided();
            TokenException why = new TokenException(namespace, Status.Code.INTERNAL, "cannot ask: " + e);
            why.initCause(e);
            throw end(why);
        }
    }

    private TokenRange accept(TokenResponse response) {
        Answers.Checked checked = Answers.check(namespace, chunk, nextSequence, response);
        if (checked instanceof Answers.Malformed malformed) {
            throw end(new TokenException(namespace, Status.Code.INTERNAL, malformed.why()));
        }
        TokenRange range = ((Answers.Sound) checked).range();
        Optional<String> problem = reading.accept(range, response);
        if (problem.isPresent()) {
            calls.countStale();
            throw end(new StaleAnswerException(namespace, problem.get()));
        }
        permit = null; // it was reported when the message arrived
        nextSequence++;
        tries.reset();
        calls.countTokens(range.count());
        return range;
    }

    private void goOnAfter(Throwable why, StreamAttempt ended, long deadlineNanos) {
        Verdict verdict = calls.judge(namespace, ended, why, tries);
        switch (verdict) {
            case Verdict.GoTo goTo -> {} // the addresses follow it
            case Verdict.GiveUp giveUp -> throw end(verdict);
            case Verdict.TryAgain again -> {
                OptionalLong pause = tries.pauseNanos(deadlineNanos - calls.nowNanos());
                if (pause.isEmpty()) {
                    throw end(verdict);
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
            letGo();
            throw new TokenException(namespace, Status.Code.CANCELLED, "interrupted while waiting to ask again");
        } catch (TimeoutException e) {
            // the timer is late, and the pause over: the reader's time will tell
        } catch (ExecutionException e) {
            throw new IllegalStateException("a pause of " + nanos + " ns failed", e);
        }
    }

    private TokenException end(Verdict last) {
        Permit given = permit;
        if (given != null) {
            given.ended(last);
        }
        return end(last.why());
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
                current.cancel();
            }
            letGo();
            reading.ends();
            atEnd.accept(this);
        }
    }
}
