package dev.baton.duty.tokens.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.baton.core.Height;
import dev.baton.duty.tokens.Tokens;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A token server on a free port, and a client of it. */
final class Served implements AutoCloseable {

    /** What a failed call told. */
    record Failure(
            Status.Code code,
            String message,
            @Nullable String reason,
            @Nullable String holder,
            ErrorInfo info) {

        static Failure of(Throwable thrown) {
            StatusRuntimeException failure = (StatusRuntimeException) thrown;
            Metadata trailers = Objects.requireNonNull(failure.getTrailers());
            com.google.rpc.Status details = Objects.requireNonNull(trailers.get(TokenStatus.DETAILS));
            try {
                return new Failure(
                        failure.getStatus().getCode(),
                        String.valueOf(failure.getStatus().getDescription()),
                        trailers.get(TokenStatus.REASON),
                        trailers.get(TokenStatus.HOLDER),
                        details.getDetails(0).unpack(ErrorInfo.class));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final TokenListener listener;
    private final ManagedChannel channel;

    private Served(TokenListener listener, ManagedChannel channel) {
        this.listener = listener;
        this.channel = channel;
    }

    static Served open(Tokens tokens) throws IOException {
        return open(tokens, TokenListener.Settings.DEFAULT);
    }

    static Served open(Tokens tokens, TokenListener.Settings settings) throws IOException {
        TokenListener listener = TokenListener.open(
                new InetSocketAddress("127.0.0.1", 0),
                InsecureServerCredentials.create(),
                settings,
                tokens,
                () -> new Height(99),
                TokenMeter.NONE);
        return new Served(
                listener,
                NettyChannelBuilder.forAddress("127.0.0.1", listener.port())
                        .usePlaintext()
                        .flowControlWindow(65_535) // as most clients have it
                        .build());
    }

    TokenListener listener() {
        return listener;
    }

    ManagedChannel channel() {
        return channel;
    }

    TokenGeneratorGrpc.TokenGeneratorBlockingStub tokens() {
        return TokenGeneratorGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    TokenGeneratorGrpc.TokenGeneratorFutureStub futures() {
        return TokenGeneratorGrpc.newFutureStub(channel);
    }

    TokenNamespacesGrpc.TokenNamespacesBlockingStub namespaces() {
        return TokenNamespacesGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        listener.close();
    }
}
