package dev.baton.proxy;

import io.grpc.ChannelCredentials;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes gRPC calls of any service and sends each to the holder, message by message and without reading them. */
final class GrpcRoute implements AutoCloseable {

    private final Journey.Surroundings around;
    private final ProxySettings settings;
    private final ChannelCredentials towardsNodes;
    private final Server server;
    private final Map<InetSocketAddress, ManagedChannel> channels = new ConcurrentHashMap<>();
    private final Set<GrpcJourney> underWay = ConcurrentHashMap.newKeySet();

    GrpcRoute(
            Journey.Surroundings around,
            ProxySettings settings,
            InetSocketAddress address,
            ScheduledExecutorService clock,
            Optional<AdvancedTlsX509KeyManager> keys)
            throws IOException {
        this.around = around;
        this.settings = settings;
        this.towardsNodes = settings.tls().towardsNodes(clock);
        this.server = NettyServerBuilder.forAddress(address, ProxyTls.grpc(keys))
                .directExecutor() // nothing here blocks
                .maxInboundMessageSize(settings.holding().maxBodyBytes())
                .fallbackHandlerRegistry(new HandlerRegistry() {
                    @Override
                    public ServerMethodDefinition<?, ?> lookupMethod(String method, @Nullable String authority) {
                        return definition(method);
                    }
                })
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new IOException(
                    "listen.grpc: " + address + " cannot be opened: " + e
                            + " (expected: an address of this machine that nobody else listens on)",
                    e);
        }
        around.watch().onChange(view -> {
            if (view.holder().isPresent()) {
                var unused = clock.schedule(() -> abandon(view), HttpRoute.ABANDON_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void abandon(View changed) {
        if (around.watch().view().version() == changed.version()) {
            underWay.forEach(journey -> journey.abandonUnlessAt(changed));
        }
    }

    void began(GrpcJourney journey) {
        underWay.add(journey);
    }

    void left(GrpcJourney journey) {
        underWay.remove(journey);
    }

    static MethodDescriptor<byte[], byte[]> descriptor(String method) {
        return MethodDescriptor.newBuilder(AsBytes.INSTANCE, AsBytes.INSTANCE)
                .setType(MethodType.BIDI_STREAMING) // which includes every other kind
                .setFullMethodName(method)
                .build();
    }

    private ServerMethodDefinition<byte[], byte[]> definition(String method) {
        ServerCallHandler<byte[], byte[]> handler = Paths.isAdmin(method)
                ? this::refuse
                : (call, headers) -> new GrpcJourney(this, call, headers, method).begin();
        return ServerMethodDefinition.create(descriptor(method), handler);
    }

    private ServerCall.Listener<byte[]> refuse(ServerCall<byte[], byte[]> call, Metadata headers) {
        around.metrics().began();
        around.metrics().ended(ProxyMetrics.Route.GRPC, ProxyMetrics.Outcome.REFUSED);
        call.close(
                Status.PERMISSION_DENIED.withDescription(
                        "the Admin Control API is not passed on (expected: calls to the"
                                + " node's own admin listener)"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }

    Journey.Surroundings around() {
        return around;
    }

    ReplayRules replay() {
        return settings.replay();
    }

    int maxKeptBytes() {
        return settings.holding().maxBodyBytes();
    }

    ManagedChannel channel(InetSocketAddress address) {
        return channels.computeIfAbsent(
                address,
                // By name, so that a node that moves is found again when its connection breaks.
                it -> NettyChannelBuilder.forAddress(it.getHostString(), it.getPort(), towardsNodes)
                        .directExecutor()
                        .maxInboundMessageSize(Integer.MAX_VALUE)
                        .build());
    }

    /** The node refused a connection; when it is back, it is tried at once and not after a pause that grew. */
    void tryAtOnce(InetSocketAddress address) {
        channel(address).resetConnectBackoff();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getListenSockets().getFirst();
    }

    /** Takes no more calls; those under way go on. */
    void drain() {
        server.shutdown();
    }

    @Override
    public void close() {
        server.shutdownNow();
        channels.values().forEach(ManagedChannel::shutdownNow);
        try {
            server.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
