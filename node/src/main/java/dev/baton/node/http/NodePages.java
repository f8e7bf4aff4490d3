package dev.baton.node.http;

import dev.baton.node.NodeView;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** The two HTTP servers of a node: one for everybody, one for operators. */
public final class NodePages {

    private NodePages() {}

    public static HttpListener open(HostPort address, NodeView node) throws IOException {
        List<Route> routes = new ArrayList<>(new StatusPages(node).routes());
        routes.addAll(new PostgresPages(node).routes());
        routes.addAll(new BlockPages(node).routes());
        routes.addAll(new TokenPages(node).routes());
        routes.addAll(new MempoolPages(node).routes());
        routes.addAll(new EnginePages(node).routes());
        routes.addAll(new ConsolePages(node, ConsoleSource.Audience.EVERYBODY).routes());
        return HttpListener.open(address, routes, false, Optional.empty());
    }

    /** On a loopback address plain HTTP; elsewhere HTTPS, and only for those who show a certificate. */
    public static HttpListener openAdmin(HostPort address, NodeView node, Optional<NodeConfig.Tls> tls)
            throws IOException {
        Optional<SSLContext> secured =
                address.isLoopback() || tls.isEmpty() ? Optional.empty() : Optional.of(PemFiles.context(tls.get()));
        List<Route> routes = new ArrayList<>(new AdminPages(node).routes());
        routes.addAll(new PostgresAdminPages(node).routes());
        routes.addAll(new BlockPages(node).readingRoutes());
        routes.addAll(new ConsolePages(node, ConsoleSource.Audience.OPERATORS).routes());
        return HttpListener.open(address, routes, true, secured);
    }
}
