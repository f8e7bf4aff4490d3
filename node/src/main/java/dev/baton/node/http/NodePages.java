package dev.baton.node.http;

import dev.baton.node.NodeView;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        List<Route> console = new ConsolePages(node, ConsoleSource.Audience.EVERYBODY).routes();
        routes.addAll(address.isLoopback() ? new LoopbackNames(address).guard(console) : console);
        return HttpListener.open(address, routes, false, Optional.empty());
    }

    /** On a loopback address plain HTTP; elsewhere HTTPS, and only for those who show a certificate. */
    public static HttpListener openAdmin(HostPort address, NodeView node, Optional<NodeConfig.Tls> tls)
            throws IOException {
        List<Route> routes = adminRoutes(new AdminPages(node), node, ConsoleSource.Audience.MACHINE);
        return address.isLoopback() || tls.isEmpty()
                ? HttpListener.open(
                        address,
                        address.isLoopback() ? new LoopbackNames(address).guard(routes) : routes,
                        true,
                        Optional.empty())
                : openSecuredAdmin(address, node, tls.get());
    }

    /** Whoever shows a certificate may also act from the page. */
    public static HttpListener openSecuredAdmin(HostPort address, NodeView node, NodeConfig.Tls tls)
            throws IOException {
        AdminPages admin = new AdminPages(node);
        List<Route> routes = new ArrayList<>();
        routes.add(new ConsoleActions(admin).route());
        routes.addAll(adminRoutes(admin, node, ConsoleSource.Audience.CERTIFIED));
        return HttpListener.open(address, routes, true, Optional.of(PemFiles.context(tls)));
    }

    private static List<Route> adminRoutes(AdminPages admin, NodeView node, ConsoleSource.Audience audience) {
        List<Route> routes = new ArrayList<>(admin.routes());
        routes.addAll(new PostgresAdminPages(node).routes());
        routes.addAll(new BlockPages(node).readingRoutes());
        routes.addAll(new ConsolePages(node, audience).routes());
        return routes;
    }
}
