package dev.baton.authority.etcd.wire;

import com.google.protobuf.ByteString;
import dev.baton.authority.etcd.EtcdSettings;
import dev.baton.authority.etcd.Login;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One member of the etcd cluster, as one channel reaches it. Nothing is repeated here but a request whose token was stale. */
public final class Member {

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /** For an etcd that asks for no login though we have one. */
    private static final String NO_TOKEN = "";

    private final String endpoint;
    private final Optional<Login> login;
    private final ManagedChannel channel;
    private final AtomicReference<@Nullable String> token = new AtomicReference<>();

    Member(String endpoint, EtcdSettings settings) {
        this.endpoint = endpoint;
        this.login = settings.login();
        this.channel = Channels.open(endpoint, settings);
    }

    public String endpoint() {
        return endpoint;
    }

    /** Asks once. The answer comes within the given time. */
    public <Q, R> CompletableFuture<Reply<R>> ask(MethodDescriptor<Q, R> method, Q request, Duration within) {
        reconnectAtOnce();
        Bound by = Bound.in(within);
        return withToken(by).thenCompose(ticket -> switch (ticket) {
            case Reply.Got<String> got ->
                call(method, request, got.value(), by.left()).thenCompose(reply -> {
                    if (!isStaleToken(reply)) {
                        return CompletableFuture.completedFuture(reply);
                    }
                    token.compareAndSet(got.value(), null);
                    return withToken(by)
                            .thenCompose(again -> again instanceof Reply.Got<String> fresh
                                    ? call(method, request, fresh.value(), by.left())
                                    : CompletableFuture.completedFuture(reply));
                });
            // The request itself was never sent.
            case Reply.Refused<String> refused ->
                CompletableFuture.completedFuture(new Reply.Refused<>(refused.refusal(), refused.why(), false));
            case Reply.Unsent<String> unsent -> CompletableFuture.completedFuture(new Reply.Unsent<>(unsent.why()));
            case Reply.Lost<String> lost -> CompletableFuture.completedFuture(new Reply.Unsent<>(lost.why()));
        });
    }

    /** A channel that failed waits longer and longer before it tries again; whoever asks wants it tried now. */
    private void reconnectAtOnce() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
    }

    private CompletableFuture<Reply<String>> withToken(Bound by) {
        String known = token.get();
        if (login.isEmpty() || known != null) {
            return CompletableFuture.completedFuture(
                    new Reply.Got<>(known == null ? NO_TOKEN : known, System.nanoTime()));
        }
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setName(login.get().user())
                .setPassword(login.get().password())
                .build();
        return call(AuthGrpc.getAuthenticateMethod(), request, NO_TOKEN, by.left())
                .thenApply(reply -> switch (reply) {
                    case Reply.Got<AuthenticateResponse> got -> {
                        token.set(got.value().getToken());
                        yield new Reply.Got<>(got.value().getToken(), got.sentNanos());
                    }
                    case Reply.Refused<AuthenticateResponse> refused -> {
                        if (refused.why().contains("authentication is not enabled")) {
                            token.set(NO_TOKEN);
                            yield new Reply.Got<>(NO_TOKEN, System.nanoTime());
                        }
                        yield new Reply.Refused<>(refused.refusal(), refused.why(), false);
                    }
                    case Reply.Unsent<AuthenticateResponse> unsent -> new Reply.Unsent<>(unsent.why());
                    case Reply.Lost<AuthenticateResponse> lost -> new Reply.Lost<>(lost.why());
                });
    }

    private static <R> boolean isStaleToken(Reply<R> reply) {
        return reply instanceof Reply.Refused<R> refused
                && (refused.why().contains("invalid auth token")
                        || refused.why().contains("revision in header is old")
                        || refused.why().contains("user name is empty"));
    }

    private <Q, R> CompletableFuture<Reply<R>> call(
            MethodDescriptor<Q, R> method, Q request, String ticket, Duration within) {
        CompletableFuture<Reply<R>> answer = new CompletableFuture<>();
        Sending sending = new Sending();
        CallOptions options = CallOptions.DEFAULT
                .withDeadlineAfter(Math.max(1, within.toNanos()), TimeUnit.NANOSECONDS)
                .withStreamTracerFactory(sending);
        long sentNanos = System.nanoTime();
        ClientCall<Q, R> call = through(ticket).newCall(method, options);
        ClientCalls.asyncUnaryCall(call, request, new StreamObserver<>() {
            private @Nullable R value;

            @Override
            public void onNext(R next) {
                value = next;
            }

            @Override
            public void onError(Throwable failure) {
                answer.complete(failed(Status.fromThrowable(failure), sending.isSent()));
            }

            @Override
            public void onCompleted() {
                answer.complete(
                        value == null ? new Reply.Lost<>(endpoint + ": no answer") : new Reply.Got<>(value, sentNanos));
            }
        });
        return answer;
    }

    private <R> Reply<R> failed(Status status, boolean sent) {
        String why = endpoint + ": " + Channels.explain(status);
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, ABORTED ->
                sent ? new Reply.Lost<>(why) : new Reply.Unsent<>(why);
            default -> new Reply.Refused<>(Refusal.of(status), why, false);
        };
    }

    private Channel through(String ticket) {
        if (ticket.isEmpty()) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(TOKEN, ticket);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** What a watch is told. */
    public interface WatchObserver {
        void changed(WatchResponse response);

        void broken(String why);
    }

    /** A running watch. */
    public interface Watching {
        void cancel();
    }

    /** Hears of every change in a range of keys from a revision on, until it breaks or is cancelled. */
    public CompletableFuture<Watching> watch(
            ByteString key, ByteString end, long fromRevision, Duration within, WatchObserver observer) {
        reconnectAtOnce();
        return withToken(Bound.in(within)).thenApply(ticket -> {
            if (!(ticket instanceof Reply.Got<String> got)) {
                observer.broken(Reply.trouble(ticket));
                return () -> {};
            }
            return watch(key, end, fromRevision, got.value(), observer);
        });
    }

    private Watching watch(ByteString key, ByteString end, long fromRevision, String ticket, WatchObserver observer) {
        ClientCall<WatchRequest, WatchResponse> call =
                through(ticket).newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
        StreamObserver<WatchRequest> requests = ClientCalls.asyncBidiStreamingCall(call, new StreamObserver<>() {
            @Override
            public void onNext(WatchResponse response) {
                observer.changed(response);
            }

            @Override
            public void onError(Throwable failure) {
                token.compareAndSet(ticket, null); // it may have been the reason
                observer.broken(endpoint + ": " + Channels.explain(Status.fromThrowable(failure)));
            }

            @Override
            public void onCompleted() {
                observer.broken(endpoint + ": the watch ended");
            }
        });
        requests.onNext(WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(key)
                        .setRangeEnd(end)
                        .setStartRevision(fromRevision))
                .build());
        return () -> call.cancel("closed", null);
    }

    void close() {
        channel.shutdownNow();
    }

    void awaitClosed(Duration patience) throws InterruptedException {
        channel.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
