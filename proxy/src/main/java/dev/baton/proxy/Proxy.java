package dev.baton.proxy;

import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends clients to whoever holds a seat.
 *
 * <p>Safety never rests on it: a node that lost the seat refuses by itself, and the proxy only spares clients the search.
 * It is started whole or not at all, and closed once.
 */
public final class Proxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

    private final ProxySettings settings;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final ProxyMetrics metrics = new ProxyMetrics();
    private final ScheduledExecutorService clock;
    private final SeatWatch watch;
    private final WaitingRoom room;
    private @Nullable HttpRoute http;
    private @Nullable GrpcRoute grpc;
    private @Nullable TcpRoute tcp;
    private @Nullable HealthPages health;
    private volatile boolean draining;

    private Proxy(ProxySettings settings) {
        this.settings = settings;
        ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("proxy-clock").daemon().factory());
        timers.setRemoveOnCancelPolicy(true);
        this.clock = Executors.unconfigurableScheduledExecutorService(timers);
        this.watch = new SeatWatch(settings.seat(), settings.upstreams());
        this.room = new WaitingRoom(
                settings.holding().maxRequests(), settings.holding().maxBytes(), watch, clock);
        metrics.watch(watch, room);
    }

    /** Listens, and begins to watch the nodes; requests that come before anything is known are held. */
    public static Proxy start(ProxySettings settings) throws IOException {
        if (!settings.faults().isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", settings.faults()));
        }
        Proxy proxy = new Proxy(settings);
        try {
            proxy.open();
            return proxy;
        } catch (IOException | RuntimeException e) {
            proxy.stop();
            throw e;
        }
    }

    private void open() throws IOException {
        parts.push(metrics);
        parts.push(clock::shutdownNow);
        Transport transport = add(Transport.open());
        add(watch);
        Journey.Surroundings around = new Journey.Surroundings(
                watch, room, metrics, settings.holding().patience());
        Optional<AdvancedTlsX509KeyManager> keys = settings.tls().frontKeys(clock);
        if (settings.http().isPresent()) {
            http = add(
                    new HttpRoute(around, settings, transport, settings.http().get(), clock));
        }
        if (settings.grpc().isPresent()) {
            grpc = add(new GrpcRoute(around, settings, settings.grpc().get(), clock, keys));
        }
        if (settings.tcp().isPresent()) {
            tcp = add(new TcpRoute(around, transport, settings.tcp().get(), settings.closeTcpOnChange()));
        }
        health = add(new HealthPages(
                transport,
                settings.health(),
                settings.seat(),
                () -> new HealthPages.Health(draining, watch.view(), room.waiting(), metrics.underWay()),
                metrics::scrape));
        watch.start();
        LOG.info("the proxy of {} is up: {}", settings.seat(), settings.upstreams());
    }

    private <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Where it listens for HTTP, with the port that it got. */
    public Optional<InetSocketAddress> httpAddress() {
        return Optional.ofNullable(http).map(HttpRoute::address);
    }

    public Optional<InetSocketAddress> grpcAddress() {
        return Optional.ofNullable(grpc).map(GrpcRoute::address);
    }

    public Optional<InetSocketAddress> tcpAddress() {
        return Optional.ofNullable(tcp).map(TcpRoute::address);
    }

    public Optional<InetSocketAddress> healthAddress() {
        return Optional.ofNullable(health).map(HealthPages::address);
    }

    /** The node that holds the seat, as far as the proxy knows. */
    public Optional<String> holder() {
        return watch.view().holder().map(Upstream::node);
    }

    /** Takes nothing new, and waits until what is under way is done, but not for ever. */
    public void drain() throws InterruptedException {
        draining = true;
        if (http != null) {
            http.drain();
        }
        if (grpc != null) {
            grpc.drain();
        }
        if (tcp != null) {
            tcp.drain();
        }
        long giveUpNanos = System.nanoTime() + settings.holding().drain().toNanos();
        while (metrics.underWay() > 0 && System.nanoTime() < giveUpNanos) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        if (metrics.underWay() > 0) {
            LOG.warn(
                    "{} requests did not end within {}",
                    metrics.underWay(),
                    settings.holding().drain());
        }
    }

    private void stop() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.warn("a part of the proxy did not stop", e);
            }
        }
    }

    /** Stops at once; {@link #drain} first if nothing may be cut off. Closing twice is harmless. */
    @Override
    public void close() {
        draining = true;
        stop();
    }
}
