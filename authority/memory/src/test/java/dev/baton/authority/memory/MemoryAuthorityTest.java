package dev.baton.authority.memory;

import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;

class MemoryAuthorityTest extends AuthorityTck {

    @Override
    protected EngineFixture open(Path dir) {
        return new MemoryFixture();
    }
}
