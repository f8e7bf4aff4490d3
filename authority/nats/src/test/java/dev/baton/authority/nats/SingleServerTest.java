package dev.baton.authority.nats;

import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;

/** The contract on one real server. */
class SingleServerTest extends AuthorityTck {

    @Override
    protected EngineFixture open(Path dir) {
        return new NatsFixture(NatsServers.start(1, dir));
    }
}
