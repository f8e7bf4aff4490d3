package dev.baton.duty.tokens.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read requests and write answers, each for connections of its own. Answers that are given on the
 * thread of their connection go out together; given on any other, each would have to be brought there.
 */
record NetworkThreads(EventLoopGroup group, Class<? extends ServerChannel> channel, List<EventExecutor> loops)
        implements AutoCloseable {

    private static final long CLOSE_SECONDS = 2;

    static NetworkThreads start() {
        return Epoll.isAvailable()
                ? of(EpollIoHandler.newFactory(), EpollServerSocketChannel.class)
                : of(NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    private static NetworkThreads of(IoHandlerFactory handlers, Class<? extends ServerChannel> channel) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(), new DefaultThreadFactory("token-loop", true), handlers);
        List<EventExecutor> loops = new ArrayList<>();
        group.forEach(loops::add);
        return new NetworkThreads(group, channel, List.copyOf(loops));
    }

    /** The one that calls, or whoever gives the answer if none of them does. */
    Executor current() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return loop;
            }
        }
        return Runnable::run;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
