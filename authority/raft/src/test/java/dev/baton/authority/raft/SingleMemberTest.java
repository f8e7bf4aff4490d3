package dev.baton.authority.raft;

import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;

/** The contract, kept by one member alone, as in development. */
final class SingleMemberTest extends AuthorityTck {

    @Override
    protected EngineFixture open(Path dir) throws Exception {
        return RaftFixture.ofOne(dir);
    }
}
