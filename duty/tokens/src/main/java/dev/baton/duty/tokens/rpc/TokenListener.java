package dev.baton.duty.tokens.rpc;

import dev.baton.core.Height;
import dev.baton.duty.tokens.Tokens;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The gRPC server that hands out tokens, with health and reflection.
 *
 * <p>Calls run on the threads of the network, because none of them blocks: to hand each to another thread would cost
 * more than to answer it.
 */
public final class TokenListener implements AutoCloseable {

    /** No request is anywhere near that long. */
    static final int LARGEST_MESSAGE_BYTES = 64 << 10;

    /** Room for a thousand requests on a connection. Given, because to find one by trial costs pings between the answers. */
    private static final int WINDOW_BYTES = 1 << 20;

    /** A client that pings more often than this is sent away. */
    private static final Duration SHORTEST_PING = Duration.ofSeconds(5);

    private static final long GRACE_MILLIS = 500;

    /**
     * How connections are treated.
     *
     * @param maxStreams how many calls one connection may have open; further ones wait at the client
     * @param keepAliveTime after so much silence the server asks whether the client is still there
     * @param keepAliveTimeout and after so much more it gives the connection up
     */
    public record Settings(int maxStreams, Duration keepAliveTime, Duration keepAliveTimeout) {
        public static final Settings DEFAULT = new Settings(100, Duration.ofSeconds(30), Duration.ofSeconds(10));
    }

    private final Server server;
    private final NetworkThreads threads;
    private final TokenEndpoint endpoint;
    private final HealthStatusManager health;

    private TokenListener(Server server, NetworkThreads threads, TokenEndpoint endpoint, HealthStatusManager health) {
        this.server = server;
        this.threads = threads;
        this.endpoint = endpoint;
        this.health = health;
    }

    /**
     * Listens at once; nothing is said to be served until {@link #serving} says so.
     *
     * @param followed how far this node has followed the ledger
     */
    public static TokenListener open(
            SocketAddress address,
            ServerCredentials credentials,
            Settings settings,
            Tokens tokens,
            Supplier<Height> followed,
            TokenMeter meter)
            throws IOException {
        // Needs no closing, and so takes the last answers even while the server stops.
        Executor streams = Thread.ofVirtual().name("token-stream-", 0)::start;
        NetworkThreads threads = NetworkThreads.start();
        TokenEndpoint endpoint = new TokenEndpoint(tokens, threads, streams, meter);
        HealthStatusManager health = new HealthStatusManager();
        Server server = NettyServerBuilder.forAddress(address, credentials)
                .bossEventLoopGroup(threads.group())
                .workerEventLoopGroup(threads.group())
                .channelType(threads.channel())
                .directExecutor()
                .flowControlWindow(WINDOW_BYTES)
                .maxConcurrentCallsPerConnection(settings.maxStreams())
                .keepAliveTime(settings.keepAliveTime().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(settings.keepAliveTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(SHORTEST_PING.toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxInboundMessageSize(LARGEST_MESSAGE_BYTES)
                .addService(endpoint)
                .addService(new NamespacesEndpoint(tokens, followed))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .build();
        TokenListener listener = new TokenListener(server, threads, endpoint, health);
        listener.serving(false, false);
        try {
            server.start();
        } catch (IOException e) {
            threads.close();
            throw e;
        }
        return listener;
    }

    public int port() {
        return server.getPort();
    }

    /** How many streams of tokens are open now. */
    public int streams() {
        return endpoint.streams();
    }

    /**
     * What the health service says from now on.
     *
     * @param ready whether this node follows the ledger and could lead: the server as a whole, and questions
     * @param holds whether it hands out tokens: the published service, so that a client can choose the holder by it
     */
    public void serving(boolean ready, boolean holds) {
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status(ready));
        health.setStatus(TokenNamespacesGrpc.SERVICE_NAME, status(ready));
        health.setStatus(TokenGeneratorGrpc.SERVICE_NAME, status(holds));
    }

    private static ServingStatus status(boolean serving) {
        return serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    }

    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                server.shutdownNow().awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        threads.close();
    }
}
