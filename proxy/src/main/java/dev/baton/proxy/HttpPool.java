package dev.baton.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Idle connections to nodes, for one event loop and used on it alone, so that no answer changes threads. */
final class HttpPool {

    private static final int CONNECT_MILLIS = 1_000;

    /** Shorter than servers usually keep idle connections, so that they close less often just when one is used. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Where a connection was asked for, which may be a name: it is resolved anew for each connection. */
    private static final AttributeKey<InetSocketAddress> ASKED = AttributeKey.valueOf(HttpPool.class, "asked");

    private record Idle(Channel channel, long sinceNanos) {}

    private final EventLoop loop;
    private final Map<InetSocketAddress, Deque<Idle>> idle = new HashMap<>();
    private final Bootstrap bootstrap;

    HttpPool(EventLoop loop, Transport transport) {
        this.loop = loop;
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpClientCodec(
                                        new HttpDecoderConfig().setMaxHeaderSize(32 << 10), false, false))
                                .addLast(new HttpUpstreamHandler(HttpPool.this, channel));
                    }
                });
    }

    void take(InetSocketAddress address, Consumer<Channel> ready, Consumer<Throwable> failed) {
        Deque<Idle> waiting = idle.computeIfAbsent(address, ignored -> new ArrayDeque<>());
        while (!waiting.isEmpty()) {
            Idle newest = waiting.pollLast();
            if (newest != null && newest.channel().isActive() && System.nanoTime() - newest.sinceNanos() < IDLE_NANOS) {
                ready.accept(newest.channel());
                return;
            }
            if (newest != null) {
                var unusedEnd = newest.channel().close();
            }
        }
        var unused = bootstrap.connect(address).addListener((ChannelFuture connected) -> {
            if (connected.isSuccess()) {
                connected.channel().attr(ASKED).set(address);
                ready.accept(connected.channel());
            } else {
                failed.accept(connected.cause());
            }
        });
    }

    void give(Channel channel) {
        InetSocketAddress asked = channel.attr(ASKED).get();
        if (channel.isActive() && asked != null) {
            idle.computeIfAbsent(asked, ignored -> new ArrayDeque<>()).addLast(new Idle(channel, System.nanoTime()));
        }
    }

    void gone(Channel channel) {
        idle.values().forEach(waiting -> waiting.removeIf(one -> one.channel().equals(channel)));
    }

    void close() {
        loop.execute(() -> {
            for (Deque<Idle> waiting : idle.values()) {
                for (Idle one : waiting) {
                    var unused = one.channel().close();
                }
            }
            idle.clear();
        });
    }
}
