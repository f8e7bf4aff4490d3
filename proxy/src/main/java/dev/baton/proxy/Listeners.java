package dev.baton.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens sockets that listen, and says which one could not be opened. */
final class Listeners {

    private Listeners() {}

    static Channel bind(ServerBootstrap bootstrap, String key, InetSocketAddress address) throws IOException {
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "listen." + key + ": " + address + " cannot be opened: " + bound.cause()
                            + " (expected: an address of this machine that nobody else listens on)",
                    bound.cause());
        }
        return bound.channel();
    }

    static InetSocketAddress address(Channel listener) {
        if (listener.localAddress() instanceof InetSocketAddress address) {
            return address;
        }
        throw new IllegalStateException(listener + " listens on no internet address");
    }
}
