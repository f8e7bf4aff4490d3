package dev.baton.proxy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads and sockets that a proxy runs on. */
record Transport(EventLoopGroup loops, Class<? extends ServerChannel> server, Class<? extends SocketChannel> client)
        implements AutoCloseable {

    static Transport open() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new Transport(
                new MultiThreadIoEventLoopGroup(
                        threads, new DefaultThreadFactory("proxy", true), NioIoHandler.newFactory()),
                NioServerSocketChannel.class,
                NioSocketChannel.class);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
