package dev.baton.authority.nats.wire;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps servers of different NATS clusters apart: each would have a stream of its own for the same seat, and a holder in
 * each. Thread-safe.
 */
final class OneCluster {

    private final boolean several;
    private final AtomicReference<@Nullable String> name = new AtomicReference<>();

    /** With one server, it does not matter what it belongs to. */
    OneCluster(int servers) {
        this.several = servers > 1;
    }

    /** What stands against a server that says it belongs to this cluster. */
    Optional<String> objection(@Nullable String cluster) {
        if (!several) {
            return Optional.empty();
        }
        if (cluster == null || cluster.isEmpty()) {
            return Optional.of("a single server (expected: one of a cluster, like the other servers)");
        }
        name.compareAndSet(null, cluster);
        return cluster.equals(name.get())
                ? Optional.empty()
                : Optional.of("of NATS cluster " + cluster + " (expected: " + name.get() + ", like the other servers)");
    }
}
