package dev.baton.authority.raft;

import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;

/** The contract, kept by three members. */
final class RaftAuthorityTest extends AuthorityTck {

    @Override
    protected EngineFixture open(Path dir) throws Exception {
        return RaftFixture.ofThree(dir);
    }
}
