package dev.baton.authority.nats;

import dev.baton.authority.Authority;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Real servers, as the test kit disturbs them. */
final class NatsFixture implements EngineFixture {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final NatsServers servers;
    private final Map<NodeId, Authority> joined = new HashMap<>();

    NatsFixture(NatsServers servers) {
        this.servers = servers;
    }

    @Override
    public Authority join(NodeId node) {
        Authority before = joined.get(node);
        if (before != null) {
            before.close();
        }
        // More patience than usual, so that a busy machine is not mistaken for a dead server.
        Authority now = NatsAuthority.openUnchecked(
                NatsSettings.of(servers.addresses()).withLease(LEASE).withRequestTimeout(Duration.ofSeconds(6)));
        joined.put(node, now);
        return now;
    }

    /** Nothing to do: only appends are signs of life. */
    @Override
    public void silence(NodeId node) {}

    @Override
    public Duration lease() {
        return LEASE;
    }

    @Override
    public void restartEngine() {
        servers.restart();
    }

    @Override
    public void close() {
        joined.values().forEach(Authority::close);
        servers.close();
    }
}
