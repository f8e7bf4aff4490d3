package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Authority;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.authority.redis.testing.FoundingFixture;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The contract on three real Redis processes. */
class RedisAuthorityTest extends AuthorityTck {

    private static final Duration LEASE = Duration.ofSeconds(1);

    @Override
    protected EngineFixture open(Path dir) {
        return new Fixture(RedisServers.start(3, dir));
    }

    private static final class Fixture extends FoundingFixture {

        private final RedisServers servers;
        private final RedisSettings settings;

        Fixture(RedisServers servers) {
            super(LEASE);
            this.servers = servers;
            this.settings = RedisSettings.of(servers.addresses()).with(QuorumSettings.DEFAULT.withLease(LEASE));
        }

        @Override
        protected Authority connect() {
            return RedisAuthority.openUnchecked(settings);
        }

        @Override
        protected void found(SeatId seat) {
            assertThat(Founding.found(settings, seat, "", RandomGenerator.getDefault()))
                    .isInstanceOf(Founding.Outcome.Founded.class);
        }

        @Override
        public void restartEngine() {
            servers.all().forEach(RedisServer::kill);
            servers.all().forEach(RedisServer::start);
        }

        @Override
        protected void stopEngine() {
            servers.close();
        }
    }
}
