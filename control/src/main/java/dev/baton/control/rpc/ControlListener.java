package dev.baton.control.rpc;

import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control plane's own gRPC server, with health and reflection behind the same gate. */
final class ControlListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlListener.class);
    private static final long GRACE_MILLIS = 500;
    private static final int LARGEST_HEADERS_BYTES = 8 << 10;
    private static final long IDLE_MINUTES = 10;
    private static final long REREAD_MILLIS = 500;

    private final Server server;
    private final ExecutorService threads;
    private final ScheduledExecutorService rereading;
    private final HealthStatusManager health;

    private ControlListener(
            Server server, ExecutorService threads, ScheduledExecutorService rereading, HealthStatusManager health) {
        this.server = server;
        this.threads = threads;
        this.rereading = rereading;
        this.health = health;
    }

    /** PEM files by which the server shows itself; read again when they change. */
    record Identity(Path certificate, Path key) {}

    static ControlListener open(
            SocketAddress address,
            Optional<Identity> identity,
            CallGate gate,
            Limits limits,
            List<BindableService> services)
            throws IOException {
        ScheduledExecutorService rereading = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("control-certificates").factory());
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("control-", 0).factory());
        try {
            HealthStatusManager health = new HealthStatusManager();
            NettyServerBuilder builder = NettyServerBuilder.forAddress(address, credentials(identity, rereading))
                    .executor(threads)
                    .intercept(gate)
                    .maxInboundMessageSize(limits.requestBytes())
                    .maxInboundMetadataSize(LARGEST_HEADERS_BYTES)
                    .maxConcurrentCallsPerConnection(limits.concurrent())
                    .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
                    .addService(health.getHealthService())
                    .addService(ProtoReflectionServiceV1.newInstance());
            services.forEach(builder::addService);
            health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.SERVING);
            return new ControlListener(builder.build().start(), threads, rereading, health);
        } catch (IOException e) {
            threads.shutdownNow();
            rereading.shutdownNow();
            throw e;
        }
    }

    private static ServerCredentials credentials(Optional<Identity> identity, ScheduledExecutorService rereading)
            throws IOException {
        if (identity.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
        Identity files = identity.get();
        try {
            keys.updateIdentityCredentials(
                    files.certificate().toFile(), files.key().toFile());
        } catch (GeneralSecurityException e) {
            throw new IOException("control.tls: " + e.getMessage() + " (expected: PEM files that fit together)", e);
        }
        // The library would look once a minute at most.
        var unused = rereading.scheduleWithFixedDelay(
                () -> reread(keys, files), REREAD_MILLIS, REREAD_MILLIS, TimeUnit.MILLISECONDS);
        return TlsServerCredentials.newBuilder()
                .keyManager(keys)
                .trustManager(new AnyCertificate())
                .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
                .build();
    }

    private static void reread(AdvancedTlsX509KeyManager keys, Identity files) {
        try {
            keys.updateIdentityCredentials(
                    files.certificate().toFile(), files.key().toFile());
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            LOG.warn("control.tls cannot be read again; what it said before still holds: {}", e.toString());
        }
    }

    int port() {
        return server.getPort();
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
        rereading.shutdownNow();
    }
}
