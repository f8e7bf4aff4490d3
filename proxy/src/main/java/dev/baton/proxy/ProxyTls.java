package dev.baton.proxy;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a proxy shows itself to clients of gRPC, and to the gRPC servers of nodes. Raw connections are passed as they are, so
 * their TLS is between the client and the node.
 *
 * @param front the proxy's own certificate for its clients; without one they are not encrypted
 * @param nodes how it speaks to nodes; without it that is not encrypted
 */
public record ProxyTls(Optional<Identity> front, Optional<Nodes> nodes) {

    public static final ProxyTls NONE = new ProxyTls(Optional.empty(), Optional.empty());

    private static final Logger LOG = LoggerFactory.getLogger(ProxyTls.class);
    private static final long REREAD_MILLIS = 1_000;

    /** PEM files. */
    public record Identity(Path certificate, Path key) {}

    /**
     * How nodes are known, and the proxy to them.
     *
     * @param trust PEM file with the authorities of the nodes' certificates
     * @param own the proxy's certificate towards nodes, which ask for one
     */
    public record Nodes(Path trust, Optional<Identity> own) {}

    /** The certificate for clients, read again when its files change; nothing if there is none. */
    Optional<AdvancedTlsX509KeyManager> frontKeys(ScheduledExecutorService clock) throws IOException {
        return front.isEmpty() ? Optional.empty() : Optional.of(keys(front.get(), clock));
    }

    static ServerCredentials grpc(Optional<AdvancedTlsX509KeyManager> keys) {
        return keys.<ServerCredentials>map(known ->
                        TlsServerCredentials.newBuilder().keyManager(known).build())
                .orElseGet(InsecureServerCredentials::create);
    }

    ChannelCredentials towardsNodes(ScheduledExecutorService clock) throws IOException {
        if (nodes.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder()
                .trustManager(nodes.get().trust().toFile());
        if (nodes.get().own().isPresent()) {
            credentials.keyManager(keys(nodes.get().own().get(), clock));
        }
        return credentials.build();
    }

    private static AdvancedTlsX509KeyManager keys(Identity files, ScheduledExecutorService clock) throws IOException {
        AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
        read(keys, files);
        var unused = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        read(keys, files);
                    } catch (IOException | RuntimeException e) {
                        LOG.warn("what the certificate said before still holds: {}", e.toString());
                    }
                },
                REREAD_MILLIS,
                REREAD_MILLIS,
                TimeUnit.MILLISECONDS);
        return keys;
    }

    private static void read(AdvancedTlsX509KeyManager keys, Identity files) throws IOException {
        try {
            keys.updateIdentityCredentials(
                    files.certificate().toFile(), files.key().toFile());
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(
                    files.certificate() + ", " + files.key() + ": " + e
                            + " (expected: a certificate and its key as PEM files)",
                    e);
        }
    }
}
