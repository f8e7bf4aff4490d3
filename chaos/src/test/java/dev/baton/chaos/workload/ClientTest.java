package dev.baton.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.Troubles;
import dev.baton.chaos.proxy.Wire;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a client believes while bytes are changed. */
class ClientTest {

    private static final Answer WRITTEN = new Answer.Written("n1", 1);

    private final Troubles troubles = new Troubles();
    private final long beganNanos = System.nanoTime();

    private Answer believed(Set<String> asked) {
        return Client.believed(Optional.of(WRITTEN), asked, beganNanos, troubles);
    }

    private void flip(String node, Link link) {
        troubles.flipped(new Wire(Callers.CLIENT, node, link));
    }

    @Test
    void whatWasHeardWhereBytesWereChangedIsUnknown() {
        flip("n1", Link.CLIENT);
        assertThat(believed(Set.of("n1")).outcome()).isEqualTo(Answer.Outcome.UNKNOWN);
        assertThat(believed(Set.of("n2", "n1")).outcome())
                .as("one of the nodes that were asked")
                .isEqualTo(Answer.Outcome.UNKNOWN);
    }

    /** Otherwise two databases that could both be written to stayed unseen as long as any client's bytes were changed. */
    @Test
    void whatOtherNodesSaidMeanwhileIsBelieved() {
        flip("n2", Link.CLIENT);
        assertThat(believed(Set.of("n1"))).isEqualTo(WRITTEN);
    }

    @Test
    void whoeverGoesPastTheProxiesIsBelieved() {
        flip("n1", Link.CLIENT);
        assertThat(believed(Set.of())).isEqualTo(WRITTEN);
    }

    @Test
    void bytesOfSealedLinksAreNoExcuse() {
        flip("n1", Link.ENGINE);
        assertThat(believed(Set.of("n1"))).isEqualTo(WRITTEN);
    }
}
