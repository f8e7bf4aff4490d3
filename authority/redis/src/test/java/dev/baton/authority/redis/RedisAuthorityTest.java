package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The contract on three real Redis processes. */
class RedisAuthorityTest extends AuthorityTck {

    private static final Duration LEASE = Duration.ofSeconds(1);

    @Override
    protected EngineFixture open(Path dir) {
        return new Fixture(RedisServers.start(3, dir));
    }

    private static final class Fixture implements EngineFixture {

        private final RedisServers servers;
        private final RedisSettings settings;
        private final Set<SeatId> founded = new HashSet<>();
        private final Map<NodeId, Joined> joined = new HashMap<>();

        Fixture(RedisServers servers) {
            this.servers = servers;
            this.settings = RedisSettings.of(servers.addresses()).with(QuorumSettings.DEFAULT.withLease(LEASE));
        }

        @Override
        public Authority join(NodeId node) {
            Joined before = joined.get(node);
            if (before != null) {
                before.close();
            }
            Joined now = new Joined();
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
            servers.all().forEach(RedisServer::kill);
            servers.all().forEach(RedisServer::start);
        }

        @Override
        public void close() {
            joined.values().forEach(Joined::close);
            servers.close();
        }

        /** As {@code baton init} does; the kit takes new seats as it goes. */
        private synchronized void found(SeatId seat) {
            if (founded.add(seat)) {
                assertThat(Founding.found(settings, seat, "", RandomGenerator.getDefault()))
                        .isInstanceOf(Founding.Outcome.Founded.class);
            }
        }

        private final class Joined implements Authority {

            private final RedisAuthority authority = RedisAuthority.openUnchecked(settings);

            @Override
            public String kind() {
                return authority.kind();
            }

            @Override
            public SeatAuthority seat(SeatId seat) {
                found(seat);
                return authority.seat(seat);
            }

            @Override
            public void close() {
                authority.close();
            }
        }
    }
}
