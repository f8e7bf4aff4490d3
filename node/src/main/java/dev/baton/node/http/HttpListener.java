package dev.baton.node.http;

import dev.baton.node.config.HostPort;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * An HTTP server with a few routes, each request on a virtual thread.
 *
 * <p>Not the JDK's own server: that one keeps every connection whose client left while something was sent to it, so that
 * a few hundred pages which were opened and closed used up a node's memory.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be written or closed is gone already
public final class HttpListener implements AutoCloseable {

    private static final int BACKLOG = 128;
    private static final int MOST_CONNECTIONS = 1024;
    private static final int LONGEST_LINE = 8 << 10;
    private static final int LARGEST_HEADERS = 16 << 10;
    private static final long CLOSE_SECONDS = 2;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("http-loop").factory(), NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("http-", 0).factory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Routes routes;
    private final Optional<JdkSslContext> tls;
    private final HostPort address;

    private HttpListener(HostPort wanted, Routes routes, Optional<SSLContext> secured) throws IOException {
        this.routes = routes;
        this.tls = secured.map(HttpListener::forThoseWithACertificate);
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        admit(channel);
                    }
                })
                .bind(wanted.socketAddress())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw bound.cause() instanceof IOException known ? known : new IOException(bound.cause());
        }
        connections.add(bound.channel());
        this.address = wanted.withPort(((InetSocketAddress) bound.channel().localAddress()).getPort());
    }

    /**
     * Listens at once.
     *
     * @param refuseBrowsers whether requests that a web page sent are refused: a page from anywhere could otherwise
     *     make a browser on this machine move a seat
     */
    public static HttpListener open(
            HostPort address, List<Route> routes, boolean refuseBrowsers, Optional<SSLContext> secured)
            throws IOException {
        return new HttpListener(address, new Routes(routes, refuseBrowsers, secured.isPresent()), secured);
    }

    private static JdkSslContext forThoseWithACertificate(SSLContext context) {
        return new JdkSslContext(
                context,
                false,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                ApplicationProtocolConfig.DISABLED,
                ClientAuth.REQUIRE,
                null,
                false);
    }

    private void admit(Channel channel) {
        if (connections.size() > MOST_CONNECTIONS) {
            channel.close();
            return;
        }
        connections.add(channel);
        tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(LONGEST_LINE)
                        .setMaxHeaderSize(LARGEST_HEADERS)))
                .addLast(new WholeRequests(routes.largestBody()))
                .addLast(new HttpConnection(routes, threads));
    }

    /** How many clients are connected now. */
    int connections() {
        return connections.size() - 1; // the listening socket itself is among them
    }

    /** Where it listens, with the port that it got. */
    public HostPort address() {
        return address;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        connections.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
