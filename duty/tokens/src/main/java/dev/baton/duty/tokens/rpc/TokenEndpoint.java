package dev.baton.duty.tokens.rpc;

import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.Tokens;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The published service. Nothing in it blocks, so that calls may run on the threads of the network. */
public final class TokenEndpoint extends TokenGeneratorGrpc.TokenGeneratorImplBase {

    private final Tokens tokens;
    private final NetworkThreads threads;
    private final Executor executor;
    private final TokenMeter meter;
    private final OpenStreams open;

    /**
     * @param threads call this, and are to send the answers
     * @param executor runs the streams, a short while each
     */
    TokenEndpoint(Tokens tokens, NetworkThreads threads, Executor executor, TokenMeter meter) {
        this.tokens = tokens;
        this.threads = threads;
        this.executor = executor;
        this.meter = meter;
        this.open = new OpenStreams(tokens);
    }

    /** How many streams are open now. */
    public int streams() {
        return open.count();
    }

    /** Half an id is one, too: it must be refused rather than ignored. */
    static boolean isNamed(String client, long sequence) {
        return sequence != 0 || !client.isEmpty();
    }

    @Override
    public void nextToken(TokenRequest request, StreamObserver<TokenResponse> client) {
        long begunNanos = System.nanoTime();
        long sequence = request.getSequence();
        Optional<RequestId> id = isNamed(request.getClientId(), sequence)
                ? Optional.of(new RequestId(request.getClientId(), sequence))
                : Optional.empty();
        tokens.next(
                new Ask(request.getNamespace(), request.getCount(), id, request.getAcceptStep()),
                threads.current(),
                answer -> answer(answer, sequence, begunNanos, client));
    }

    private void answer(Answer answer, long sequence, long begunNanos, StreamObserver<TokenResponse> client) {
        switch (answer) {
            case Answer.Handed handed -> {
                client.onNext(TokenStatus.response(handed, sequence));
                client.onCompleted();
                meter.handed(handed.namespace(), System.nanoTime() - begunNanos);
            }
            case Answer.Refused refused -> client.onError(TokenStatus.refused(refused));
            case Answer.NotHolder(Optional<String> address) -> {
                meter.unavailable();
                client.onError(TokenStatus.notHolder(address));
            }
            case Answer.Unknown(String why, Optional<String> address) -> {
                meter.unavailable();
                client.onError(TokenStatus.unknown(why, address));
            }
        }
    }

    @Override
    public void streamTokens(StreamRequest request, StreamObserver<TokenResponse> client) {
        if (request.getMessages() < 0) {
            client.onError(TokenStatus.refused(
                    Refusal.INVALID,
                    "messages: " + request.getMessages() + " (expected: 1 or more, or 0 for as many as are read)"));
            return;
        }
        new TokenStream(tokens, request, (ServerCallStreamObserver<TokenResponse>) client, executor, open).start();
    }
}
