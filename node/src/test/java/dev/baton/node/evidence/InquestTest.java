package dev.baton.node.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InquestTest {

    private static final Holder HOLDER = new Holder(new NodeId("n1"), new Incarnation(1));
    private static final Ending CLOSED = new Ending.Closed(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

    private final EvidenceCounts counts = new EvidenceCounts();
    private final List<Duration> patience = new ArrayList<>();

    /** The findings in turn; the last one again and again. */
    private Inquest finding(Finding... findings) {
        return new Inquest(
                (place, left) -> {
                    patience.add(left);
                    return findings[Math.min(patience.size(), findings.length) - 1];
                },
                counts);
    }

    @Test
    void aRefusalIsBelievedAtOnce() throws Exception {
        assertThat(finding(new Finding.Refused()).hold(HOLDER, CLOSED)).isInstanceOf(Verdict.Gone.class);
        assertThat(counts.probes()).isEqualTo(1);
    }

    @Test
    void aProcessThatStillListensWhileItDiesIsProbedAgain() throws Exception {
        assertThat(finding(new Finding.Unclear("reset"), new Finding.Refused()).hold(HOLDER, CLOSED))
                .isInstanceOf(Verdict.Gone.class);
        assertThat(counts.probes()).isEqualTo(2);
    }

    @Test
    void aProcessThatAnswersIsNotAskedAgain() throws Exception {
        assertThat(finding(new Finding.Answered(HOLDER)).hold(HOLDER, CLOSED)).isInstanceOf(Verdict.Alive.class);
        assertThat(counts.probes()).isEqualTo(1);
    }

    @Test
    void whoIsSilentForTheWholeTimeIsNotGone() throws Exception {
        assertThat(finding(new Finding.Unclear("timed out")).hold(HOLDER, CLOSED))
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(patience).isNotEmpty().allMatch(left -> left.isPositive() && left.compareTo(Inquest.WITHIN) <= 0);
    }

    @Test
    void aFarewellIsNoEvidenceWhateverAProbeWouldMeet() throws Exception {
        assertThat(finding(new Finding.Refused()).hold(HOLDER, new Ending.Farewell()))
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(counts.probes()).isZero();
    }

    @Test
    void aRefusalWithoutAConnectionThatClosedIsNoEvidence() throws Exception {
        assertThat(finding(new Finding.Refused()).hold(HOLDER, new Ending.NeverAttended("refused")))
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(counts.probes()).isZero();
    }
}
