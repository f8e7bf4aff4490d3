package dev.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.plan.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes are changed only where somebody has promised to notice. */
class CorruptionTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> ENGINES = List.of("e1", "e2", "e3");

    private static Link struck(String authority, Link planned) {
        PlannedFault fault = new PlannedFault(
                1, 0, 1, FaultKind.CORRUPT, List.of("n1"), Map.of("link", planned.name(), "oneInBytes", "500"));
        Map<String, String> done = LinkFaults.sealed(fault, Topology.of(authority, NODES, ENGINES));
        return Link.valueOf(done.getOrDefault("link", ""));
    }

    @Test
    void linksToRedisAreStruckBecauseTheyAreSealed() {
        assertThat(struck("redis", Link.ENGINE)).isEqualTo(Link.ENGINE);
    }

    @Test
    void clientsAreStruckInsteadOfLinksWithoutASeal() {
        assertThat(struck("redis", Link.PEER)).isEqualTo(Link.CLIENT);
        assertThat(struck("etcd", Link.ENGINE)).isEqualTo(Link.CLIENT);
        assertThat(struck("nats", Link.ENGINE_PEER)).isEqualTo(Link.CLIENT);
    }
}
