package dev.baton.duty.tokens.rpc;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads a stream of tokens, message by message as it is told to. */
final class Reader implements ClientResponseObserver<StreamRequest, TokenResponse> {

    private final List<TokenResponse> read = new ArrayList<>();
    private final CompletableFuture<Ended> end = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<StreamRequest> call;

    /** How a stream ended: by a failure, or completed. */
    record Ended(@Nullable Throwable failure) {}

    static Reader open(ManagedChannel channel, StreamRequest request) {
        Reader reader = new Reader();
        TokenGeneratorGrpc.newStub(channel).streamTokens(request, reader);
        return reader;
    }

    void read(int messages) {
        Objects.requireNonNull(call).request(messages);
    }

    void cancel() {
        Objects.requireNonNull(call).cancel("enough", null);
    }

    synchronized List<TokenResponse> messages() {
        return List.copyOf(read);
    }

    synchronized int count() {
        return read.size();
    }

    /** Waits for the end: null if the stream was completed. */
    @Nullable
    Throwable failure() {
        return end.orTimeout(30, TimeUnit.SECONDS).join().failure();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<StreamRequest> started) {
        call = started;
        started.disableAutoRequestWithInitial(0);
    }

    @Override
    public synchronized void onNext(TokenResponse message) {
        read.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(new Ended(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(new Ended(null));
    }
}
