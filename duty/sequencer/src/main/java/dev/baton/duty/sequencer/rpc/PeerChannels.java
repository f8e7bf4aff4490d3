package dev.baton.duty.sequencer.rpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** One channel per address, made when it is first needed. Thread-safe. */
public final class PeerChannels implements AutoCloseable {

    private final Function<String, ManagedChannel> factory;
    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private boolean closed;

    /** @param factory makes the channel to an address, with whatever security the cluster uses */
    public PeerChannels(Function<String, ManagedChannel> factory) {
        this.factory = factory;
    }

    /** Without encryption: for tests, development, and networks that encrypt by themselves. */
    public static PeerChannels plaintext() {
        return new PeerChannels(
                address -> NettyChannelBuilder.forTarget(address).usePlaintext().build());
    }

    synchronized ManagedChannel to(String address) {
        if (closed) {
            throw new IllegalStateException("channel to " + address + ": this node is stopping");
        }
        return channels.computeIfAbsent(address, factory);
    }

    @Override
    public synchronized void close() {
        closed = true;
        channels.values().forEach(ManagedChannel::shutdownNow);
        channels.clear();
    }
}
