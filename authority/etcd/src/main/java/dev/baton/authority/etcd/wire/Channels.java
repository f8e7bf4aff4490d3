package dev.baton.authority.etcd.wire;

import dev.baton.authority.etcd.EtcdSettings;
import dev.baton.authority.etcd.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Opens channels, and says in plain words why one does not work. */
final class Channels {

    /** A page of large entries; see the reader, which never asks for more at a time. */
    private static final int MOST_INBOUND_BYTES = 128 << 20;

    /** etcd closes connections that ping more often than every five seconds. */
    private static final long PING_SECONDS = 10;

    private static final long PONG_SECONDS = 5;

    private Channels() {}

    static ManagedChannel open(String endpoint, EtcdSettings settings) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(
                        EtcdSettings.hostOf(endpoint), EtcdSettings.portOf(endpoint))
                .maxInboundMessageSize(MOST_INBOUND_BYTES)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
                .disableRetry();
        if (settings.tls().isPresent()) {
            builder.negotiationType(NegotiationType.TLS)
                    .sslContext(ssl(settings.tls().get()));
        } else {
            builder.negotiationType(NegotiationType.PLAINTEXT);
        }
        return builder.build();
    }

    private static SslContext ssl(TlsFiles files) {
        try {
            SslContextBuilder builder =
                    GrpcSslContexts.forClient().trustManager(files.trust().toFile());
            files.client()
                    .ifPresent(own -> builder.keyManager(
                            own.certificate().toFile(), own.key().toFile()));
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("tls: " + e.getMessage() + " (expected: certificates in PEM)", e);
        }
    }

    static String explain(Status status) {
        StringBuilder why = new StringBuilder(
                status.getDescription() == null ? status.getCode().name() : status.getDescription());
        @Nullable Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause != null) {
            why.append(" (").append(cause.getClass().getSimpleName()).append(": ");
            why.append(cause.getMessage()).append(')');
        }
        return why.toString().replaceAll("\\s*\\n\\s*", " ").replaceFirst(" ?Channel Pipeline: \\[[^]]*]", "");
    }
}
