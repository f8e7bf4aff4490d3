package dev.baton.node.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Hash;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PeerTableTest {

    private final AtomicLong clock = new AtomicLong();
    private final PeerTable table = new PeerTable(new NodeId("n1"), clock::get);

    private void saw(String node, String... differences) {
        table.saw(presence(node), List.of(differences), 0);
    }

    private static NodePresence presence(String node) {
        return new NodePresence(
                "demo", new NodeId(node), new Incarnation(1), "1", "g", "h", Hash.ZERO, "", "", 0, List.of());
    }

    @Test
    void aPeerIsPresentUntilItMissesThreeAnnouncements() {
        saw("n2");
        clock.addAndGet(PeerTable.PRESENT_WITHIN.toNanos() - 1);
        assertThat(table.presentCount()).isEqualTo(1);

        clock.addAndGet(1);

        assertThat(table.presentCount()).isZero();
        assertThat(table.find(new NodeId("n2"))).as("but it is remembered").isPresent();
    }

    @Test
    void aNodeDoesNotCountItself() {
        saw("n1");

        assertThat(table.all()).isEmpty();
    }

    @Test
    void ofTwoThatDisagreeNobodyMayLead() {
        saw("n2", "cluster: a at n1, b at n2");

        assertThat(table.objection()).hasValueSatisfying(why -> assertThat(why).contains("n2", "cluster: a at n1"));
    }

    @Test
    void theOddOneOutStepsBackAndTheOthersGoOn() {
        saw("n2");
        saw("n3", "x: 1 at n1, 2 at n3");
        assertThat(table.objection()).as("two against one").isEmpty();

        saw("n2", "x: 1 at n1, 2 at n2");

        assertThat(table.objection()).as("one against two").isPresent();
    }

    @Test
    void aNodeThatMustNotLeadBesideAPeerMustNotLeadInItsPlace() {
        saw("n2", "x: 1 at n1, 2 at n2");
        clock.addAndGet(PeerTable.PRESENT_WITHIN.toNanos());

        assertThat(table.objection()).isPresent();

        saw("n2");
        assertThat(table.objection()).as("until it was put right").isEmpty();
    }

    @Test
    void whoAgreedWithAPeerThatIsGoneIsNotTheOddOneOut() {
        saw("n2");
        clock.addAndGet(PeerTable.PRESENT_WITHIN.toNanos());
        saw("n3", "x: 1 at n1, 2 at n3");

        assertThat(table.objection()).isEmpty();
    }

    @Test
    void aClockThatIsFarOffCountsAsADifference() {
        table.saw(presence("n2"), List.of(), -PeerTable.CLOCKS_DIFFER.toMillis());
        assertThat(table.objection()).isEmpty();

        table.saw(presence("n2"), List.of(), -3_600_000);

        assertThat(table.clockDifferenceMillis()).isEqualTo(3_600_000);
        assertThat(table.objection())
                .hasValueSatisfying(why ->
                        assertThat(why).contains("clock: 3600 s behind that of n2 (expected: at most 30 s apart)"));
    }
}
