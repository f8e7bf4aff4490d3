package dev.baton.node.presence;

import dev.baton.node.config.NodeConfig;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One connection to each address that this node talks to. */
public final class PeerChannels implements AutoCloseable {

    private final Function<String, ManagedChannel> factory;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    private PeerChannels(Function<String, ManagedChannel> factory) {
        this.factory = factory;
    }

    public static PeerChannels open(Optional<NodeConfig.Tls> tls) throws IOException {
        return new PeerChannels(factory(tls));
    }

    /** How to connect to an address, with whatever security the cluster uses. */
    public static Function<String, ManagedChannel> factory(Optional<NodeConfig.Tls> tls) throws IOException {
        ChannelCredentials credentials = tls.isPresent() ? credentials(tls.get()) : InsecureChannelCredentials.create();
        return address -> Grpc.newChannelBuilder(address, credentials).build();
    }

    private static ChannelCredentials credentials(NodeConfig.Tls tls) throws IOException {
        return TlsChannelCredentials.newBuilder()
                .keyManager(tls.certificate().toFile(), tls.key().toFile())
                .trustManager(tls.trust().toFile())
                .build();
    }

    /** A new connection, which the caller closes. */
    public ManagedChannel fresh(String address) {
        return factory.apply(address);
    }

    /** The connection that everybody in this node shares. */
    public ManagedChannel to(String address) {
        return channels.computeIfAbsent(address, factory);
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        for (ManagedChannel channel : channels.values()) {
            try {
                channel.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        channels.clear();
    }
}
