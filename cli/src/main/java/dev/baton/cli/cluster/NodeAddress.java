package dev.baton.cli.cluster;

import java.net.URI;
import java.util.Optional;

/** Where one node is asked, and where it is steered if that is known. */
public record NodeAddress(String node, URI http, Optional<URI> admin) {

    static NodeAddress of(ClusterFile.Member member) {
        return new NodeAddress(
                member.node(),
                local(member.ports().http()),
                Optional.of(local(member.ports().admin())));
    }

    private static URI local(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
