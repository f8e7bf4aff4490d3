package dev.baton.proxy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads and sockets that a proxy runs on: those of Linux itself where they are to be had, since a relay is little else. */
record Transport(EventLoopGroup loops, Class<? extends ServerChannel> server, Class<? extends SocketChannel> client)
        implements AutoCloseable {

    static Transport open() {
        return Epoll.isAvailable()
                ? new Transport(
                        loops(EpollIoHandler.newFactory()), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport(loops(NioIoHandler.newFactory()), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    private static EventLoopGroup loops(IoHandlerFactory handlers) {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("proxy", true), handlers);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
