package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes on each engine, steered over the control API and killed in the middle of it. */
class SteeringIT {

    /** The leases here last 2 s; the rest is for a machine that is busy with other things. */
    private static final Duration LEASE_AND_MARGIN = Duration.ofSeconds(7);

    private static final int BLOCKS_AFTER = 3;

    @ParameterizedTest
    @CsvSource({"raft, 3", "redis, 2", "etcd, 2"})
    void whoeverIsKilledAndWheneverTheSeatIsNeitherLostNorHeldTwice(String authority, int size, @TempDir Path folder)
            throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(
                        data, "up", "--nodes", "" + size, "--authority", authority, "--interval", "200ms", "--json");
                SteeredCluster cluster = new SteeredCluster(data, size)) {
            up.awaitLine(line -> line.path("height").asLong() >= 2);

            theActiveNodeIsKilledAndAStandbyGoesOn(cluster);
            theHolderIsKilled(cluster);
            theTargetIsKilled(cluster);
            nobodyIsKilled(cluster);
            aStoppedHolderStaysAsideUntilItIsStarted(cluster);

            await().atMost(RunningUp.PATIENCE)
                    .untilAsserted(() -> assertThat(RunningUp.ask(data, "audit", "list", "--limit", "100")
                                    .path("records"))
                            .extracting(found -> found.path("call").asText() + " "
                                    + found.path("outcome").asText())
                            .contains(
                                    "PrepareHandoff BEGUN",
                                    "PrepareHandoff OK",
                                    "CompleteHandoff BEGUN",
                                    "CompleteHandoff OK",
                                    "StopSequencer BEGUN",
                                    "StopSequencer OK",
                                    "StartSequencer BEGUN",
                                    "StartSequencer OK"));
            assertThat(RunningUp.ask(data, "audit", "verify").path("verdict").asText())
                    .isEqualTo("PASS");
            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            JsonNode verdict = up.lines().getLast(); // no gap, no fork: nobody else led at any height
            assertThat(verdict.path("verdict").asText()).as(verdict.toString()).isEqualTo("PASS");
        }
    }

    private static void theActiveNodeIsKilledAndAStandbyGoesOn(SteeredCluster cluster) throws Exception {
        String holder = cluster.awaitCalm();

        cluster.kill(holder);

        long before = cluster.height();
        cluster.awaitHeight(before + BLOCKS_AFTER);
        assertGap(cluster, before, "the active node was killed");
    }

    private static void theHolderIsKilled(SteeredCluster cluster) throws Exception {
        String holder = cluster.awaitCalm();
        String target = cluster.other(holder);
        PrepareHandoffResponse prepared = cluster.prepare(holder, target);
        ByteString ticket = prepared.getHandoffTicket();

        cluster.kill(holder);

        long before = prepared.getUnsafe().getL2Number();

        cluster.awaitHeight(before + BLOCKS_AFTER);
        assertGap(cluster, before, "the holder was killed after it had prepared");
        String now = cluster.awaitCalm();
        if (!now.equals(target)) { // on Raft a third node may have come first; its term makes the ticket worthless
            assertThatThrownBy(() -> complete(cluster, target, ticket))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("FAILED_PRECONDITION");
        }
    }

    private static void theTargetIsKilled(SteeredCluster cluster) throws Exception {
        String holder = cluster.awaitCalm();
        String target = cluster.other(holder);
        long before = cluster.prepare(holder, target).getUnsafe().getL2Number();

        cluster.kill(target);

        cluster.awaitHeight(before + BLOCKS_AFTER);
        assertGap(cluster, before, "the target was killed before it could complete");
    }

    private static void nobodyIsKilled(SteeredCluster cluster) throws Exception {
        String holder = cluster.awaitCalm();
        String target = cluster.other(holder);
        PrepareHandoffResponse prepared = cluster.prepare(holder, target);

        assertThat(complete(cluster, target, prepared.getHandoffTicket())).isTrue();

        cluster.awaitHeight(prepared.getUnsafe().getL2Number() + BLOCKS_AFTER);
        assertThat(cluster.awaitCalm()).isEqualTo(target);
    }

    private static void aStoppedHolderStaysAsideUntilItIsStarted(SteeredCluster cluster) throws Exception {
        String holder = cluster.awaitCalm();
        assertThat(cluster.steer(holder)
                        .stopSequencer(StopSequencerRequest.newBuilder()
                                .setLeaseToken(cluster.steered(holder).getLeaseToken())
                                .setReason("test")
                                .build())
                        .getStopped())
                .isTrue();
        await().atMost(RunningUp.PATIENCE)
                .until(() -> !List.of("", holder)
                        .contains(cluster.steered(holder).getTerm().getLeaderId()));
        assertThat(cluster.steered(holder).getStanding()).isEqualTo("PAUSED");

        assertThat(cluster.steer(holder)
                        .startSequencer(StartSequencerRequest.newBuilder()
                                .setFromUnsafeHead(true)
                                .setLeaseToken(cluster.steered(holder).getLeaseToken())
                                .build())
                        .getActivated())
                .isFalse();
        assertThat(cluster.awaitCalm()).isNotEqualTo(holder);
    }

    private static boolean complete(SteeredCluster cluster, String target, ByteString ticket) throws Exception {
        return cluster.steer(target)
                .completeHandoff(CompleteHandoffRequest.newBuilder()
                        .setHandoffTicket(ticket)
                        .build())
                .getActivated();
    }

    private static void assertGap(SteeredCluster cluster, long before, String what) throws Exception {
        assertThat(cluster.worstGapMillis(before, before + BLOCKS_AFTER))
                .as(what)
                .isLessThan(LEASE_AND_MARGIN.toMillis());
    }
}
