package dev.baton.proxy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a proxy does.
 *
 * @param seat whose holder clients are sent to
 * @param health where load balancers and Prometheus ask
 * @param closeTcpOnChange whether raw connections end when another node holds the seat, so that clients come again
 */
public record ProxySettings(
        String seat,
        List<Upstream> upstreams,
        Optional<InetSocketAddress> http,
        Optional<InetSocketAddress> grpc,
        Optional<InetSocketAddress> tcp,
        InetSocketAddress health,
        Holding holding,
        ReplayRules replay,
        List<String> readPaths,
        boolean closeTcpOnChange,
        ProxyTls tls) {

    /**
     * How long and how much is held back while nobody holds the seat.
     *
     * @param maxBytes bytes of bodies held at once
     * @param maxBodyBytes the largest body of one request: it is kept until it is answered, in case it must be sent again
     * @param patience how long a request waits for a holder
     * @param drain how long requests may still take once the proxy stops
     */
    public record Holding(int maxRequests, long maxBytes, int maxBodyBytes, Duration patience, Duration drain) {
        public static final Holding STANDARD =
                new Holding(1024, 64 << 20, 4 << 20, Duration.ofSeconds(15), Duration.ofSeconds(10));
    }

    /** Without TLS. */
    public ProxySettings(
            String seat,
            List<Upstream> upstreams,
            Optional<InetSocketAddress> http,
            Optional<InetSocketAddress> grpc,
            Optional<InetSocketAddress> tcp,
            InetSocketAddress health,
            Holding holding,
            ReplayRules replay,
            List<String> readPaths,
            boolean closeTcpOnChange) {
        this(seat, upstreams, http, grpc, tcp, health, holding, replay, readPaths, closeTcpOnChange, ProxyTls.NONE);
    }

    public ProxySettings {
        upstreams = List.copyOf(upstreams);
        readPaths = List.copyOf(readPaths);
    }

    /** Everything that is wrong, with key, value and expectation. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (upstreams.isEmpty()) {
            faults.add("nodes: none (expected: every node that may hold the seat)");
        }
        if (http.isEmpty() && grpc.isEmpty() && tcp.isEmpty()) {
            faults.add("listen: nothing (expected: at least one of http, grpc and tcp)");
        }
        if (tls.front().isPresent() && http.isPresent()) {
            faults.add("tls: for clients, beside http (expected: only grpc and tcp; HTTP is not served over TLS)");
        }
        for (Upstream upstream : upstreams) {
            missing(
                    faults,
                    upstream,
                    "http",
                    http.isPresent() && upstream.http().isEmpty());
            missing(
                    faults,
                    upstream,
                    "grpc",
                    grpc.isPresent() && upstream.grpc().isEmpty());
            missing(faults, upstream, "tcp", tcp.isPresent() && upstream.tcp().isEmpty());
        }
        atLeastOne(faults, "hold.requests", holding.maxRequests());
        atLeastOne(faults, "hold.bytes", holding.maxBytes());
        atLeastOne(faults, "hold.body-bytes", holding.maxBodyBytes());
        return faults;
    }

    private static void missing(List<String> faults, Upstream upstream, String kind, boolean isMissing) {
        if (isMissing) {
            faults.add(upstream + "." + kind + ": missing (expected: host:port, since the proxy listens for " + kind
                    + ")");
        }
    }

    private static void atLeastOne(List<String> faults, String key, long value) {
        if (value < 1) {
            faults.add(key + ": " + value + " (expected: 1 or more)");
        }
    }
}
