package dev.baton.proxy;

import dev.baton.proxy.ProxyMetrics.Outcome;
import dev.baton.proxy.ProxyMetrics.Route;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A raw connection: waits for a holder before the first byte is read, and never changes it afterwards. */
final class TcpJourney extends Journey {

    private final TcpRoute route;
    private final Channel client;
    private @Nullable Upstream target;

    TcpJourney(TcpRoute route, Channel client) {
        super(route.around(), Route.TCP, client.eventLoop());
        this.route = route;
        this.client = client;
    }

    @Override
    void attempt(Upstream upstream, View seen) {
        if (!client.isActive()) {
            end(Outcome.FAILED);
            return;
        }
        var unused = route.towards(client)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(upstream.tcp().orElseThrow())
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        target = upstream;
                        join(connected.channel());
                    } else {
                        again(seen); // not a byte was sent
                    }
                });
    }

    private void join(Channel node) {
        client.pipeline().addLast(new Relay(node));
        node.pipeline().addLast(new Relay(client));
        var unusedEnd = client.closeFuture().addListener(closed -> {
            var unused = node.close();
            end(Outcome.PASSED);
        });
        client.config().setAutoRead(true);
        node.config().setAutoRead(true);
    }

    /** From any thread. */
    void closeUnlessAt(View now) {
        client.eventLoop().execute(() -> {
            if (target != null && !now.isHeldBy(target)) {
                var unused = client.close();
            }
        });
    }

    /** From any thread. */
    void close() {
        var unused = client.close();
    }

    @Override
    void giveUp(Outcome outcome, String why) {
        end(outcome);
        var unused = client.close(); // there is no other way to say so
    }

    @Override
    long keptBytes() {
        return 0;
    }

    /** Passes on what comes, no faster than the other side takes it. */
    private static final class Relay extends ChannelInboundHandlerAdapter {
        private final Channel other;

        Relay(Channel other) {
            this.other = other;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            var unused = other.write(bytes);
            if (!other.isWritable()) {
                context.channel().config().setAutoRead(false);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            other.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            other.config().setAutoRead(context.channel().isWritable());
        }

        /** One side has said all; the other may still have something to say. */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent && other instanceof SocketChannel socket) {
                var unused = socket.shutdownOutput();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            var unused = other.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }
}
