package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.node.EngineNodes.Copy;
import dev.baton.node.EngineNodes.Health;
import dev.baton.node.EngineNodes.State;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EngineNodesTest {

    private static State server(@Nullable Long height, Health health) {
        @Nullable
        Copy copy = height == null
                ? null
                : Copy.of(
                        new Epoch(3),
                        Optional.empty(),
                        new Head(new Height(height), Hash.sha256(Bytes.utf8("head " + height))));
        return new State("server", "member", copy, health, "", health == Health.WELL ? "" : "something");
    }

    private static List<Health> compared(State... states) {
        return EngineNodes.compared(List.of(states)).stream().map(State::health).toList();
    }

    @Test
    void aServerThatLacksMoreThanTheNewestEntryLags() {
        assertThat(compared(server(9L, Health.WELL), server(8L, Health.WELL), server(7L, Health.WELL)))
                .containsExactly(Health.WELL, Health.WELL, Health.LAGGING);
    }

    @Test
    void whoIsSilentOrBlankDoesNotLagBesides() {
        assertThat(compared(server(9L, Health.WELL), server(2L, Health.SILENT), server(null, Health.BLANK)))
                .containsExactly(Health.WELL, Health.SILENT, Health.BLANK);
    }

    @Test
    void beforeTheFirstEntryNobodyLags() {
        assertThat(compared(server(null, Health.WELL), server(null, Health.SILENT)))
                .containsExactly(Health.WELL, Health.SILENT);
    }
}
