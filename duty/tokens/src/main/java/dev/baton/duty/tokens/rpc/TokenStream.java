package dev.baton.duty.tokens.rpc;

import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.Tokens;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Hands one reader a range after the other, as fast as it reads.
 *
 * <p>A range is asked for when the connection has room for it, and at most {@link #UNDER_WAY} are asked for at a time:
 * a reader that stops costs the memory of a few messages, and nothing more is reserved for it. Ranges are sent in the
 * order in which they were asked for, so that a reader knows by the last one which sequence number comes next.
 *
 * <p>Ranges of one stream ascend. The ledger takes requests in order, but those to a leased namespace may overtake each
 * other: one that found too few tokens waits for an entry, and the next one finds those of the entry before. So of a
 * leased namespace, or one that is not known to be strict, one range is asked for at a time: mostly it is there at once.
 */
final class TokenStream {

    /** How many ranges may be on their way through the ledger: enough to fill one entry while another is committed. */
    static final int UNDER_WAY = 4;

    /** The connection has no more room once so many bytes wait to be sent. */
    static final int READY_BYTES = 4096;

    /** After so many messages others get the thread. */
    private static final int AT_A_TIME = 128;

    private final Tokens tokens;
    private final StreamRequest request;
    private final ServerCallStreamObserver<TokenResponse> reader;
    private final Executor executor;
    private final OpenStreams open;
    private final boolean named;
    private final long messages;
    private final AtomicReferenceArray<@Nullable Answer> answers = new AtomicReferenceArray<>(UNDER_WAY);

    /** How often somebody wanted this stream to look again since it last did; only one thread at a time does. */
    private final AtomicInteger wakes = new AtomicInteger();

    private volatile @Nullable String termEnded;
    private long asked;
    private long sent;
    private boolean ended;
    private boolean strict;

    TokenStream(
            Tokens tokens,
            StreamRequest request,
            ServerCallStreamObserver<TokenResponse> reader,
            Executor executor,
            OpenStreams open) {
        this.tokens = tokens;
        this.request = request;
        this.reader = reader;
        this.executor = executor;
        this.open = open;
        this.named = TokenEndpoint.isNamed(request.getClientId(), request.getFirstSequence());
        this.messages = request.getMessages() == 0 ? Long.MAX_VALUE : request.getMessages();
    }

    void start() {
        reader.setOnReadyThreshold(READY_BYTES);
        reader.setOnReadyHandler(this::wake);
        reader.setOnCancelHandler(this::wake);
        open.add(this);
        wake();
    }

    /** What is under way is still waited for: whether it was committed, its answer says. */
    void termEnded(String why) {
        termEnded = why;
        wake();
    }

    /** Never does the work itself: the caller may be the duty's thread, which a fast reader must not keep. */
    private void wake() {
        if (wakes.getAndIncrement() == 0) {
            executor.execute(this::run);
        }
    }

    private void run() {
        int seen = wakes.get();
        boolean more;
        try {
            more = advance();
        } catch (RuntimeException e) {
            more = false;
            end();
            reader.onError(Status.INTERNAL.withDescription(e.toString()).asRuntimeException());
        }
        if (wakes.addAndGet(more ? 1 - seen : -seen) != 0) {
            executor.execute(this::run);
        }
    }

    /** Whether there is more to do at once. */
    private boolean advance() {
        long until = sent + AT_A_TIME;
        while (!ended && sent < until) {
            Answer answer = answers.get(slot(sent));
            String why = termEnded;
            if (reader.isCancelled()) {
                end();
            } else if (answer != null) {
                answers.set(slot(sent), null);
                send(answer);
            } else if (mayAsk()) {
                ask();
            } else if (asked > sent) {
                return false; // its answer will wake this stream
            } else if (asked == messages) {
                end();
                reader.onCompleted();
            } else if (why != null) {
                fail(TokenStatus.termEnded(why));
            } else {
                return false; // the reader will
            }
        }
        return !ended;
    }

    private static int slot(long number) {
        return (int) (number % UNDER_WAY);
    }

    private boolean mayAsk() {
        return asked < messages && termEnded == null && reader.isReady() && mayOverlap();
    }

    private boolean mayOverlap() {
        return asked == sent || (asked - sent < UNDER_WAY && isStrict());
    }

    /** A guarantee never changes, and a namespace that is made on first use is known by the time of the first answer. */
    private boolean isStrict() {
        if (!strict) {
            strict = tokens.namespace(request.getNamespace())
                    .filter(known -> known.guarantee() == Guarantee.STRICT)
                    .isPresent();
        }
        return strict;
    }

    private void ask() {
        int slot = slot(asked);
        Ask ask = new Ask(
                request.getNamespace(),
                request.getChunk(),
                named ? Optional.of(new RequestId(request.getClientId(), sequence(asked))) : Optional.empty(),
                request.getAcceptStep());
        asked++;
        tokens.next(ask, answer -> {
            answers.set(slot, answer);
            wake();
        });
    }

    /** Beyond the largest number it is negative, and refused as such. */
    private long sequence(long number) {
        return named ? request.getFirstSequence() + number : 0;
    }

    private void send(Answer answer) {
        switch (answer) {
            case Answer.Handed handed -> {
                reader.onNext(TokenStatus.response(handed, sequence(sent)));
                sent++;
                if (sent == 1) {
                    open.watchTerm(); // before the first tokens there is no term that could end
                }
            }
            case Answer.Refused refused -> fail(TokenStatus.refused(refused));
            case Answer.NotHolder(Optional<String> address) -> fail(TokenStatus.notHolder(address));
            case Answer.Unknown(String why, Optional<String> address) -> fail(TokenStatus.unknown(why, address));
        }
    }

    private void fail(StatusRuntimeException status) {
        end();
        reader.onError(status);
    }

    private void end() {
        ended = true;
        open.remove(this);
    }
}
