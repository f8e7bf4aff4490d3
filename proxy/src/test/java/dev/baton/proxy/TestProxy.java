package dev.baton.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds proxies for tests, on free ports. */
final class TestProxy {

    private final List<Upstream> upstreams = new ArrayList<>();
    private ProxySettings.Holding holding =
            new ProxySettings.Holding(100, 1 << 20, 1 << 16, Duration.ofSeconds(30), Duration.ofSeconds(30));
    private List<String> readPaths = List.of();
    private boolean http;
    private boolean grpc;
    private boolean tcp;

    static InetSocketAddress free() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    TestProxy http(StandIn... nodes) {
        http = true;
        for (StandIn node : nodes) {
            upstreams.add(node.upstream());
        }
        return this;
    }

    TestProxy grpc(StandIn node, int port) {
        grpc = true;
        upstreams.add(new Upstream(
                node.upstream().node(), node.address(), Optional.empty(), Optional.of(at(port)), Optional.empty()));
        return this;
    }

    TestProxy tcp(StandIn node, int port) {
        tcp = true;
        upstreams.add(new Upstream(
                node.upstream().node(), node.address(), Optional.empty(), Optional.empty(), Optional.of(at(port))));
        return this;
    }

    static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    TestProxy holding(int maxRequests, Duration patience) {
        holding = new ProxySettings.Holding(maxRequests, 1 << 20, 1 << 16, patience, Duration.ofSeconds(30));
        return this;
    }

    TestProxy readPaths(String... paths) {
        readPaths = List.of(paths);
        return this;
    }

    Proxy start() throws IOException {
        return Proxy.start(new ProxySettings(
                "blocks",
                upstreams,
                http ? Optional.of(free()) : Optional.empty(),
                grpc ? Optional.of(free()) : Optional.empty(),
                tcp ? Optional.of(free()) : Optional.empty(),
                free(),
                holding,
                ReplayRules.STANDARD,
                readPaths,
                true));
    }
}
