package dev.baton.client;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One connection to each node that was asked. */
final class Channels implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 10;

    /** Answers are small; a stream that nobody reads is to stop after a few hundred of them, not after a megabyte. */
    private static final int WINDOW_BYTES = 8 * 1024;

    /** A connection over which nothing has come for so long is given up when something is missed. */
    private static final long SILENCE_NANOS = 1_000_000_000;

    private final Map<String, Line> open = new ConcurrentHashMap<>();
    private final ChannelCredentials credentials;
    private final Consumer<ManagedChannelBuilder<?>> customiser;
    private final Surroundings surroundings;
    private volatile boolean closed;

    Channels(ChannelCredentials credentials, Consumer<ManagedChannelBuilder<?>> customiser, Surroundings surroundings) {
        this.credentials = credentials;
        this.customiser = customiser;
        this.surroundings = surroundings;
    }

    /** A connection to one node, and when something last came over it. */
    final class Line {
        private final String address;
        private final ManagedChannel channel;
        private volatile long heardNanos = surroundings.nanoClock().getAsLong();

        private Line(String address, ManagedChannel channel) {
            this.address = address;
            this.channel = channel;
        }

        ManagedChannel channel() {
            return channel;
        }

        /** The node said something. */
        void heard() {
            heardNanos = surroundings.nanoClock().getAsLong();
        }

        /**
         * An answer did not come in time. If nothing else did, the connection may be dumb: what is sent to a machine that
         * was cut off goes nowhere for up to minutes after it is back. The next try gets a new one; what is under way over
         * this one is still waited for.
         */
        void missed() {
            if (surroundings.nanoClock().getAsLong() - heardNanos >= SILENCE_NANOS && open.remove(address, this)) {
                channel.shutdown();
            }
        }
    }

    /**
     * A connection to an address, a new one if the last attempt to connect failed.
     *
     * <p>A channel that could not connect refuses calls for up to two minutes before it tries again; this client has
     * its own pauses, so each of its tries is to be a real one.
     */
    Line to(String address) {
        Line to = open.compute(address, (same, line) -> {
            if (line != null && line.channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                line.channel.shutdown();
                line = null;
            }
            return line == null ? new Line(same, connect(same)) : line;
        });
        if (closed) {
            to.channel.shutdownNow(); // whoever closed may not have seen it; what is asked over it fails
        }
        return to;
    }

    private ManagedChannel connect(String address) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(address, credentials)
                .executor(surroundings.worker())
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
        closed = true;
        open.values().forEach(line -> line.channel.shutdownNow());
        try {
            for (Line line : open.values()) {
                line.channel.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
