package dev.baton.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Takes raw connections and joins each to one to the holder. */
final class TcpRoute implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int CONNECT_MILLIS = 1_000;

    private final Journey.Surroundings around;
    private final Transport transport;
    private final Channel listener;
    private final Set<TcpJourney> open = ConcurrentHashMap.newKeySet();

    TcpRoute(Journey.Surroundings around, Transport transport, InetSocketAddress address, boolean closeOnChange)
            throws IOException {
        this.around = around;
        this.transport = transport;
        this.listener = Listeners.bind(
                new ServerBootstrap()
                        .group(transport.loops())
                        .channel(transport.server())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept(channel);
                            }
                        }),
                "tcp",
                address);
        if (closeOnChange) {
            around.watch().onChange(view -> {
                if (view.holder().isPresent()) {
                    open.forEach(journey -> journey.closeUnlessAt(view));
                }
            });
        }
    }

    private void accept(Channel client) {
        TcpJourney journey = new TcpJourney(this, client);
        open.add(journey);
        var unused = client.closeFuture().addListener(closed -> open.remove(journey));
        client.eventLoop().execute(journey::setOut);
    }

    Journey.Surroundings around() {
        return around;
    }

    /** A connection on the client's own event loop, not yet connected. */
    Bootstrap towards(Channel client) {
        return new Bootstrap()
                .group(client.eventLoop())
                .channel(transport.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    }

    InetSocketAddress address() {
        return Listeners.address(listener);
    }

    void drain() {
        listener.close().awaitUninterruptibly();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        open.forEach(TcpJourney::close);
    }
}
