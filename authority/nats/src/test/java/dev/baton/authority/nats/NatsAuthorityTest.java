package dev.baton.authority.nats;

import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;

/** The contract on three real servers, each stream on all of them. */
class NatsAuthorityTest extends AuthorityTck {

    @Override
    protected EngineFixture open(Path dir) {
        return new NatsFixture(NatsServers.start(3, dir));
    }
}
