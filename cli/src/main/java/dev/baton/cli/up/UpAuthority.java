package dev.baton.cli.up;

import dev.baton.cli.cluster.ServerKind;
import java.util.List;
import java.util.Optional;

/**
 * What keeps the seat of an {@code up} cluster.
 *
 * @param external the servers to use; none means that {@code up} runs its own
 * @param init whether the seat may be founded on external Redis nodes
 */
record UpAuthority(String kind, List<String> external, boolean init) {

    static final UpAuthority RAFT = new UpAuthority("raft", List.of(), false);
    static final List<String> KINDS = List.of(
            RAFT.kind(), ServerKind.REDIS.authority(), ServerKind.ETCD.authority(), ServerKind.NATS.authority());

    UpAuthority {
        external = List.copyOf(external);
    }

    /** What runs outside of the nodes, if anything does. */
    Optional<ServerKind> servers() {
        return ServerKind.of(kind);
    }

    boolean runsOwnServers() {
        return servers().isPresent() && external.isEmpty();
    }
}
