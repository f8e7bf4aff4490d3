package dev.baton.bench.tokens;

import dev.baton.bench.load.AsyncCall;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Connections to one server over which callers ask for one token each, with nothing in between that would gather their
 * requests. As many as needed: a server allows so many requests at a time on each.
 */
final class Connections implements AutoCloseable {

    private static final int CALLERS_A_CONNECTION = 64;
    private static final int CONNECTIONS = 1_024 / CALLERS_A_CONNECTION;

    /** As large as it needs to be; one that is found by trial pings between the answers. */
    private static final int WINDOW_BYTES = 1 << 20;

    private final List<ManagedChannel> channels = new ArrayList<>();

    Connections(String address) {
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(NettyChannelBuilder.forTarget(address)
                    .usePlaintext()
                    .directExecutor()
                    .disableRetry() // callers say themselves what to do about a failure
                    .flowControlWindow(WINDOW_BYTES)
                    .build());
        }
    }

    /** Callers of which each takes the next of these namespaces each time. */
    IntFunction<AsyncCall> callers(List<String> namespaces) {
        List<TokenRequest> requests = namespaces.stream()
                .map(name ->
                        TokenRequest.newBuilder().setNamespace(name).setCount(1).build())
                .toList();
        return index -> {
            ManagedChannel channel = channels.get(index / CALLERS_A_CONNECTION % CONNECTIONS);
            int[] next = {index};
            return () -> {
                next[0] = (next[0] + 1) % requests.size();
                return ask(channel, requests.get(next[0]));
            };
        };
    }

    CompletableFuture<TokenResponse> ask(TokenRequest request) {
        return ask(channels.getFirst(), request);
    }

    private static CompletableFuture<TokenResponse> ask(ManagedChannel channel, TokenRequest request) {
        Answered answered = new Answered();
        ClientCalls.asyncUnaryCall(
                channel.newCall(TokenGeneratorGrpc.getNextTokenMethod(), CallOptions.DEFAULT), request, answered);
        return answered;
    }

    ManagedChannel first() {
        return channels.getFirst();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private static final class Answered extends CompletableFuture<TokenResponse>
            implements StreamObserver<TokenResponse> {
        @Override
        public void onNext(TokenResponse response) {
            complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }
}
