package dev.baton.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompanionCallersTest {

    private final Callers callers = new CompanionCallers(List.of("n1", "n2"), accepted -> "n1");

    @Test
    void theNodeTheOthersOfItsKindAndClientsEachHaveALinkOfTheirOwn() {
        assertThat(callers.linkOf("n1", Link.CLIENT)).isEqualTo(Link.RESOURCE);
        assertThat(callers.linkOf("sequencer-n2", Link.CLIENT)).isEqualTo(Link.PEER);
        assertThat(callers.linkOf(Callers.CLIENT, Link.CLIENT)).isEqualTo(Link.CLIENT);
    }
}
