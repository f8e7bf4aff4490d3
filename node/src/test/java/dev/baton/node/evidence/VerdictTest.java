package dev.baton.node.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Holder HOLDER = holder("n1", 1);

    private static Holder holder(String node, long incarnation) {
        return new Holder(new NodeId(node), new Incarnation(incarnation));
    }

    @Test
    void aRefusedConnectionIsEvidence() {
        assertThat(Verdict.on(HOLDER, new Finding.Refused())).isInstanceOf(Verdict.Gone.class);
    }

    @Test
    void anotherIncarnationOfTheSameNodeIsEvidence() {
        assertThat(Verdict.on(HOLDER, new Finding.Answered(holder("n1", 2)))).isInstanceOf(Verdict.Gone.class);
    }

    @Test
    void theProcessItselfIsNoEvidence() {
        assertThat(Verdict.on(HOLDER, new Finding.Answered(holder("n1", 1)))).isInstanceOf(Verdict.Alive.class);
    }

    @Test
    void anotherNodeInItsPlaceIsNoEvidence() {
        assertThat(Verdict.on(HOLDER, new Finding.Answered(holder("n2", 2)))).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void silenceIsNoEvidence() {
        assertThat(Verdict.on(HOLDER, new Finding.Unclear("timed out"))).isInstanceOf(Verdict.Unknown.class);
    }
}
