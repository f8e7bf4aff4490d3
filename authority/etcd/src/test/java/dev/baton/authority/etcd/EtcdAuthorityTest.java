package dev.baton.authority.etcd;

import dev.baton.authority.Authority;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The contract on three real etcd processes. */
class EtcdAuthorityTest extends AuthorityTck {

    private static final Duration LEASE = Duration.ofSeconds(2);

    @Override
    protected EngineFixture open(Path dir) {
        return new Fixture(EtcdServers.start(3, dir));
    }

    private static final class Fixture implements EngineFixture {

        private final EtcdServers servers;
        private final Map<NodeId, Authority> joined = new HashMap<>();

        Fixture(EtcdServers servers) {
            this.servers = servers;
        }

        @Override
        public Authority join(NodeId node) {
            Authority before = joined.get(node);
            if (before != null) {
                before.close();
            }
            // More patience than usual, so that a busy disk is not mistaken for a dead member.
            Authority now = EtcdAuthority.openUnchecked(
                    EtcdSettings.of(servers.addresses()).withLease(LEASE).withRequestTimeout(Duration.ofSeconds(6)));
            joined.put(node, now);
            return now;
        }

        /** Nothing to do: only appends renew a lease. */
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
}
