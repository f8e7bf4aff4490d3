package dev.baton.duty.remote.peer;

import dev.baton.core.timing.Fault;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A running sequencer process: its store, its production, and what it serves. */
public final class PeerSequencer implements AutoCloseable {

    private static final Duration SLOWEST_LOOK = Duration.ofMillis(500);
    private static final int REQUEST_BYTES = 16 * 1024;

    private final PeerStore store;
    private final Production production;
    private final Following following;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private @Nullable OpStackPages pages;
    private @Nullable Server server;

    private PeerSequencer(PeerSettings settings) throws IOException {
        this.store = PeerStore.open(settings.data());
        this.production = new Production(store, settings.blockInterval());
        Duration half = settings.blockInterval().dividedBy(2);
        this.following = new Following(
                store,
                production,
                settings.follow(),
                clientCredentials(settings.tls()),
                half.compareTo(SLOWEST_LOOK) < 0 ? half.plusMillis(1) : SLOWEST_LOOK);
    }

    /**
     * Starts it; if it cannot, nothing of it is left behind.
     *
     * @param version what Status tells
     */
    public static PeerSequencer start(PeerSettings settings, String version) throws IOException {
        if (!settings.faults().isEmpty()) {
            throw new IOException(
                    settings.faults().stream().map(Fault::toString).collect(Collectors.joining("\n")));
        }
        PeerSequencer sequencer = new PeerSequencer(settings);
        try {
            sequencer.open(settings, version);
            return sequencer;
        } catch (IOException | RuntimeException e) {
            sequencer.close();
            throw e;
        }
    }

    private void open(PeerSettings settings, String version) throws IOException {
        if (settings.active()) {
            production.startAlone();
        }
        NettyServerBuilder builder = NettyServerBuilder.forAddress(settings.listen(), credentials(settings.tls()))
                .executor(threads)
                .maxInboundMessageSize(REQUEST_BYTES)
                .addService(new BlocksEndpoint(store))
                .addService(new HealthStatusManager().getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
        if (settings.opStack().isPresent()) {
            pages = new OpStackPages(settings.opStack().get(), store, production, following);
        } else {
            LeaseTokens tokens = new LeaseTokens(LeaseKey.read(settings.key().orElseThrow()));
            builder.addService(new AdminEndpoint(store, production, following, tokens, version));
        }
        server = builder.build().start();
    }

    private static ServerCredentials credentials(Optional<PeerSettings.Tls> tls) throws IOException {
        if (tls.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        return TlsServerCredentials.newBuilder()
                .keyManager(tls.get().certificate().toFile(), tls.get().key().toFile())
                .trustManager(tls.get().trust().toFile())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
    }

    /** Sequencers show each other the certificate that they serve with. */
    private static ChannelCredentials clientCredentials(Optional<PeerSettings.Tls> tls) throws IOException {
        if (tls.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        return TlsChannelCredentials.newBuilder()
                .keyManager(tls.get().certificate().toFile(), tls.get().key().toFile())
                .trustManager(tls.get().trust().toFile())
                .build();
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        List<? extends SocketAddress> bound = server == null ? List.of() : server.getListenSockets();
        return (InetSocketAddress) bound.getFirst();
    }

    public Optional<InetSocketAddress> opStackAddress() {
        return Optional.ofNullable(pages).map(OpStackPages::address);
    }

    @Override
    public void close() {
        production.halt("this process ends");
        following.close();
        if (pages != null) {
            pages.close();
        }
        if (server != null) {
            server.shutdownNow();
            try {
                server.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.shutdownNow();
        production.close();
        store.close();
    }
}
