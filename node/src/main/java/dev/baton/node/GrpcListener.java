package dev.baton.node;

import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.metrics.CallMeter;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The node's gRPC server, with health and reflection. */
final class GrpcListener implements AutoCloseable {

    private static final long GRACE_MILLIS = 500;

    private final Server server;
    private final ExecutorService threads;
    private final HealthStatusManager health;

    private GrpcListener(Server server, ExecutorService threads, HealthStatusManager health) {
        this.server = server;
        this.threads = threads;
        this.health = health;
    }

    static GrpcListener open(
            HostPort address, Optional<NodeConfig.Tls> tls, List<BindableService> services, CallMeter calls)
            throws IOException {
        ServerCredentials credentials = credentials(tls);
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("grpc-", 0).factory());
        HealthStatusManager health = new HealthStatusManager();
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.NOT_SERVING);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address.socketAddress(), credentials)
                .executor(threads)
                .intercept(calls)
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
        services.forEach(builder::addService);
        Server server = builder.build();
        try {
            return new GrpcListener(server.start(), threads, health);
        } catch (IOException e) {
            threads.shutdownNow();
            throw e;
        }
    }

    /** How every gRPC server of the node shows itself, and whom it lets in. */
    static ServerCredentials credentials(Optional<NodeConfig.Tls> tls) throws IOException {
        return tls.isPresent() ? mutual(tls.get()) : InsecureServerCredentials.create();
    }

    private static ServerCredentials mutual(NodeConfig.Tls tls) throws IOException {
        return TlsServerCredentials.newBuilder()
                .keyManager(tls.certificate().toFile(), tls.key().toFile())
                .trustManager(tls.trust().toFile())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
    }

    int port() {
        return server.getPort();
    }

    void serving(boolean ready) {
        health.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
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
        threads.shutdownNow();
    }
}
