package dev.baton.duty.postgres;

import static dev.baton.duty.postgres.PostgresNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.Fault;
import dev.baton.authority.memory.FaultPlan;
import dev.baton.core.standing.Standing;
import dev.baton.duty.postgres.PostgresNodes.Node;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The story with which the design began: latency beyond the timeout, and one answer in time that changed everything. */
class FlappingTest {

    /** Three times the timeout of a pulse. */
    private static final Fault LATE = new Fault.Delay(Duration.ZERO, Duration.ofSeconds(3));

    @Test
    void aLateAcknowledgementIsAFailureAndOneInTimeDoesNotBringThePrimaryBack() throws Exception {
        try (PostgresNodes nodes = new PostgresNodes(PostgresSettings.Mode.ASYNCHRONOUS, "n1")) {
            Node node = nodes.join("n1");
            nodes.awaitPrimaryAmong("n1");
            int timeline = node.duty().view().timeline();
            AtomicInteger quick = new AtomicInteger();
            AtomicInteger looks = new AtomicInteger();
            node.authority().faults(call -> {
                if (call == FaultPlan.Call.LOOK) {
                    looks.incrementAndGet();
                }
                return call == FaultPlan.Call.LOOK && quick.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                        ? Fault.NONE
                        : LATE;
            });
            await().atMost(PATIENCE).until(() -> isFenced(node) && !node.isPrimary());

            quick.set(1); // the latency is down for a moment: one success, where two in a row are needed
            await().atMost(PATIENCE).until(() -> quick.get() == 0);
            int then = looks.get();
            await().atMost(PATIENCE).until(() -> looks.get() >= then + 3);
            assertThat(isFenced(node)).isTrue();
            assertThat(node.isPrimary()).isFalse();

            node.authority().faults(FaultPlan.NONE);
            nodes.awaitPrimaryAmong("n1");
            assertThat(node.duty().view().timeline()).as("it was promoted once").isEqualTo(timeline + 1);
        }
    }

    private static boolean isFenced(Node node) {
        return node.joined().status().standing().name() == Standing.Name.FENCED;
    }
}
