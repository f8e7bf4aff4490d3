package dev.baton.client;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A node that does what a test tells it to: a real gRPC server on a free port. */
final class StandIn implements AutoCloseable {

    /** What it does with a request. */
    sealed interface Reaction {}

    record Serve() implements Reaction {}

    record Refuse(Status status, Metadata trailers) implements Reaction {}

    /** Reserves, and then fails to say so. */
    record ServeButRefuse(Status status) implements Reaction {}

    record ServeAfter(CompletableFuture<?> signal) implements Reaction {}

    /** Does something else, later. */
    record After(CompletableFuture<?> signal, Reaction then) implements Reaction {}

    /** Reserves, and says something else. */
    record ServeAltered(UnaryOperator<TokenResponse> change) implements Reaction {}

    record ServeUnless(Predicate<TokenRequest> refused, Reaction how) implements Reaction {}

    static final Reaction SERVE = new Serve();

    private final Ledger ledger;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;
    private final Queue<Reaction> script = new ConcurrentLinkedQueue<>();
    private volatile Reaction otherwise = SERVE;
    private volatile boolean keepsRequests = true;
    private volatile long breakStreamsAfter = Long.MAX_VALUE;
    private volatile Reaction streamEnd = refuse(Status.UNAVAILABLE);
    final List<TokenRequest> requests = new CopyOnWriteArrayList<>();
    final List<StreamRequest> streams = new CopyOnWriteArrayList<>();
    final AtomicLong streamed = new AtomicLong();

    StandIn(Ledger ledger) {
        this(ledger, 0);
    }

    StandIn(Ledger ledger, int port) {
        this(ledger, port, InsecureServerCredentials.create());
    }

    StandIn(Ledger ledger, int port, ServerCredentials credentials) {
        this.ledger = ledger;
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
                    .executor(threads)
                    .addService(new Tokens())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Reaction refuse(Status status) {
        return new Refuse(status, new Metadata());
    }

    static Reaction refuse(Status status, String refusal) {
        Metadata trailers = new Metadata();
        trailers.put(Verdict.REASON, refusal);
        return new Refuse(status, trailers);
    }

    static Reaction redirect(String holder) {
        Metadata trailers = new Metadata();
        trailers.put(Verdict.HOLDER, holder);
        return new Refuse(Status.UNAVAILABLE.withDescription("this node does not hold the seat"), trailers);
    }

    int port() {
        return server.getPort();
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /** For measuring. */
    StandIn keepNoRequests() {
        keepsRequests = false;
        return this;
    }

    /** What to do with the next requests, one after the other. */
    StandIn then(Reaction... reactions) {
        script.addAll(List.of(reactions));
        return this;
    }

    /** What to do when the script is at its end. */
    StandIn otherwise(Reaction reaction) {
        otherwise = reaction;
        return this;
    }

    /** Ends each stream after so many messages; if not by refusing it, then by silence. */
    StandIn breakStreams(long after, Reaction end) {
        breakStreamsAfter = after;
        streamEnd = end;
        return this;
    }

    /** The sequence numbers that arrived, in order. */
    List<Long> sequences() {
        return requests.stream().map(TokenRequest::getSequence).toList();
    }

    private static StatusRuntimeException failure(Reaction reaction) {
        return reaction instanceof Refuse(Status status, Metadata trailers)
                ? status.asRuntimeException(trailers)
                : Status.INTERNAL.asRuntimeException();
    }

    /** Dies: connections break, nothing that is under way is answered. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }

    private final class Tokens extends TokenGeneratorGrpc.TokenGeneratorImplBase {
        @Override
        public void nextToken(TokenRequest request, StreamObserver<TokenResponse> out) {
            if (keepsRequests) {
                requests.add(request);
            }
            Reaction scripted = script.poll();
            react(scripted == null ? otherwise : scripted, request, out);
        }

        private void react(Reaction reaction, TokenRequest request, StreamObserver<TokenResponse> out) {
            switch (reaction) {
                case After(CompletableFuture<?> signal, Reaction then) -> {
                    signal.join();
                    react(then, request, out);
                }
                case Serve serve -> answer(reserve(request), out);
                case Refuse refuse -> out.onError(failure(refuse));
                case ServeButRefuse(Status status) -> {
                    reserve(request);
                    out.onError(status.asRuntimeException());
                }
                case ServeAfter(CompletableFuture<?> signal) -> {
                    signal.join();
                    answer(reserve(request), out);
                }
                case ServeUnless(Predicate<TokenRequest> refused, Reaction how) -> {
                    if (refused.test(request)) {
                        out.onError(failure(how));
                    } else {
                        answer(reserve(request), out);
                    }
                }
                case ServeAltered(UnaryOperator<TokenResponse> change) -> answer(change.apply(reserve(request)), out);
            }
        }

        private TokenResponse reserve(TokenRequest request) {
            return ledger.reserve(
                    request.getNamespace(), request.getCount(), request.getClientId(), request.getSequence());
        }

        private void answer(TokenResponse response, StreamObserver<TokenResponse> out) {
            out.onNext(response);
            out.onCompleted();
        }

        @Override
        public void streamTokens(StreamRequest request, StreamObserver<TokenResponse> out) {
            streams.add(request);
            ServerCallStreamObserver<TokenResponse> call = (ServerCallStreamObserver<TokenResponse>) out;
            AtomicLong sent = new AtomicLong();
            call.setOnReadyThreshold(4096);
            call.setOnCancelHandler(() -> {});
            call.setOnReadyHandler(() -> {
                while (call.isReady() && sent.get() <= breakStreamsAfter) {
                    if (sent.get() == breakStreamsAfter) {
                        sent.incrementAndGet();
                        if (streamEnd instanceof Refuse) {
                            call.onError(failure(streamEnd));
                        }
                        return;
                    }
                    long sequence = request.getFirstSequence() + sent.getAndIncrement();
                    streamed.incrementAndGet();
                    call.onNext(ledger.reserve(
                            request.getNamespace(), request.getChunk(), request.getClientId(), sequence));
                }
            });
        }
    }
}
