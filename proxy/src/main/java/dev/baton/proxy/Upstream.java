package dev.baton.proxy;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A node, and where what it serves is reached.
 *
 * @param watch the node's own HTTP address: it tells there whether it holds the seat
 * @param http where HTTP requests go; any server beside the node may listen there
 * @param grpc where gRPC calls go
 * @param tcp where raw connections go
 */
public record Upstream(
        String node,
        InetSocketAddress watch,
        Optional<InetSocketAddress> http,
        Optional<InetSocketAddress> grpc,
        Optional<InetSocketAddress> tcp) {

    /** A node whose HTTP server is both watched and sent requests. */
    public static Upstream http(String node, InetSocketAddress http) {
        return new Upstream(node, http, Optional.of(http), Optional.empty(), Optional.empty());
    }

    @Override
    public String toString() {
        return node;
    }
}
