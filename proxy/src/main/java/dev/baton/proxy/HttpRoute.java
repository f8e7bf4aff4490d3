package dev.baton.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Takes HTTP requests and sends each to the holder. */
final class HttpRoute implements AutoCloseable {

    private static final int BACKLOG = 1024;

    /**
     * How long a replaced holder may take to answer what it was asked before the next one is asked the same. Short: what
     * it could still do it has done when it gave the seat up, but it may learn late that others have it.
     */
    static final long ABANDON_MILLIS = 20;

    private final Journey.Surroundings around;
    private final ProxySettings settings;
    private final Transport transport;
    private final Map<EventLoop, HttpPool> pools = new ConcurrentHashMap<>();
    private final Set<HttpJourney> underWay = ConcurrentHashMap.newKeySet();
    private final Channel listener;
    private volatile boolean draining;

    HttpRoute(
            Journey.Surroundings around,
            ProxySettings settings,
            Transport transport,
            InetSocketAddress address,
            ScheduledExecutorService clock)
            throws IOException {
        this.around = around;
        this.settings = settings;
        this.transport = transport;
        this.listener = Listeners.bind(
                new ServerBootstrap()
                        .group(transport.loops())
                        .channel(transport.server())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept(channel);
                            }
                        }),
                "http",
                address);
        around.watch().onChange(view -> {
            if (view.holder().isPresent()) {
                var unused = clock.schedule(() -> abandon(view), ABANDON_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Nothing is read while a request is under way, so that answers keep their order and nobody sends ahead for ever. */
    private void accept(Channel channel) {
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig().setMaxHeaderSize(32 << 10)))
                .addLast(new WholeRequests(largestBody()))
                .addLast(new HttpFront(this));
    }

    Journey.Surroundings around() {
        return around;
    }

    ReplayRules replay() {
        return settings.replay();
    }

    HttpPool pool(EventLoop loop) {
        return pools.computeIfAbsent(loop, it -> new HttpPool(it, transport));
    }

    int largestBody() {
        return settings.holding().maxBodyBytes();
    }

    boolean isDraining() {
        return draining;
    }

    /** Whether any node that is ready may answer this. */
    boolean isRead(HttpRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return false;
        }
        List<String> paths = settings.readPaths();
        String path = Paths.withoutQuery(request.uri());
        return paths.stream().anyMatch(prefix -> path.equals(prefix) || path.startsWith(slashed(prefix)));
    }

    private static String slashed(String prefix) {
        return prefix.endsWith("/") ? prefix : prefix + "/";
    }

    void began(HttpJourney journey) {
        underWay.add(journey);
    }

    void left(HttpJourney journey) {
        underWay.remove(journey);
    }

    private void abandon(View changed) {
        if (around.watch().view().version() == changed.version()) {
            underWay.forEach(journey -> journey.abandonUnlessAt(changed));
        }
    }

    InetSocketAddress address() {
        return Listeners.address(listener);
    }

    void drain() {
        draining = true;
        listener.close().awaitUninterruptibly();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        pools.values().forEach(HttpPool::close);
    }
}
