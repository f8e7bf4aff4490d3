package dev.baton.client;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One connection to each node that was asked. */
final class Channels implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 10;

    /** Answers are small; a stream that nobody reads is to stop after a few hundred of them, not after a megabyte. */
    private static final int WINDOW_BYTES = 8 * 1024;

    private final Map<String, ManagedChannel> open = new ConcurrentHashMap<>();
    private final ChannelCredentials credentials;
    private final Consumer<ManagedChannelBuilder<?>> customiser;
    private final Executor worker;

    Channels(ChannelCredentials credentials, Consumer<ManagedChannelBuilder<?>> customiser, Executor worker) {
        this.credentials = credentials;
        this.customiser = customiser;
        this.worker = worker;
    }

    /**
     * A connection to an address, a new one if the last attempt to connect failed.
     *
     * <p>A channel that could not connect refuses calls for up to two minutes before it tries again; this client has
     * its own pauses, so each of its tries is to be a real one.
     */
    ManagedChannel to(String address) {
        return open.compute(address, (same, channel) -> {
            if (channel != null && channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                channel.shutdown();
                channel = null;
            }
            return channel == null ? connect(same) : channel;
        });
    }

    private ManagedChannel connect(String address) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(address, credentials)
                .executor(worker)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .flowControlWindow(WINDOW_BYTES)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                // gRPC's own retries would be hidden from the breaker and from the count of tries
                .disableRetry();
        customiser.accept(builder);
        return builder.build();
    }

    @Override
    public void close() {
        open.values().forEach(ManagedChannel::shutdownNow);
        try {
            for (ManagedChannel channel : open.values()) {
                channel.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
