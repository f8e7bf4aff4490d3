package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.control.seal.ClusterKey;
import dev.baton.core.standing.Standing;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.HealthResponse;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import dev.baton.wire.node.v1.TakeOverRequest;
import dev.baton.wire.node.v1.Ticket;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes with a control section, on Raft, where all seats follow one leader. */
class ControlledNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();

    @AfterEach
    void disconnect() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private String steered(String yaml) {
        // A ticket lasts no longer than the lease less a timeout: enough of it for a machine that is busy.
        return yaml.replace("timeout: 500ms", "timeout: 2s") + "control: {listen: \"127.0.0.1:0\", key: "
                + folder.resolve("cluster.key") + "}\n";
    }

    private TestCluster cluster() throws Exception {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        TestCluster cluster = TestCluster.onRaft(folder, "n1", "n2", "n3");
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.start(name, this::steered);
        }
        awaitLeader(cluster);
        return cluster;
    }

    private static String awaitLeader(TestCluster cluster) {
        await().atMost(PATIENCE).until(() -> cluster.leader() != null);
        return Objects.requireNonNull(cluster.leader());
    }

    private ManagedChannel connect(String address) {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address).usePlaintext().build();
        channels.add(channel);
        return channel;
    }

    private ControlServiceGrpc.ControlServiceBlockingStub steer(TestCluster cluster, String name) {
        return ControlServiceGrpc.newBlockingStub(connect(cluster.node(name).controlAddress()));
    }

    private StatusResponse status(TestCluster cluster, String name) {
        return steer(cluster, name).status(StatusRequest.getDefaultInstance());
    }

    private static Standing.Name standing(TestCluster cluster, String name) {
        return cluster.node(name).seats().getFirst().status().standing().name();
    }

    @Test
    void aStoppedLeaderGivesWayAndStaysAsideThroughARestartUntilItIsStarted() throws Exception {
        try (TestCluster cluster = cluster()) {
            String first = awaitLeader(cluster);
            HealthResponse health = steer(cluster, first).health(HealthRequest.getDefaultInstance());
            assertThat(health.getL2Hash().size()).isEqualTo(32);
            assertThat(steer(cluster, first)
                            .stopSequencer(StopSequencerRequest.newBuilder()
                                    .setLeaseToken(status(cluster, first).getLeaseToken())
                                    .setReason("test")
                                    .build())
                            .getStopped())
                    .isTrue();
            await().atMost(PATIENCE)
                    .until(() -> cluster.leader() != null
                            && !Objects.requireNonNull(cluster.leader()).equals(first));

            cluster.stop(first);
            cluster.start(first, this::steered);
            await().atMost(PATIENCE)
                    .until(() -> status(cluster, first).getTerm().getTerm() > 0
                            && !status(cluster, first).getTerm().getLeaderId().isEmpty());
            assertThat(standing(cluster, first)).isEqualTo(Standing.Name.PAUSED);
            String second = awaitLeader(cluster);
            assertThat(cluster.admin(second, "/handoff?to=" + first).statusCode())
                    .isEqualTo(409);

            assertThat(steer(cluster, first)
                            .startSequencer(StartSequencerRequest.newBuilder()
                                    .setFromUnsafeHead(true)
                                    .setLeaseToken(status(cluster, first).getLeaseToken())
                                    .build())
                            .getActivated())
                    .isFalse();
            await().atMost(PATIENCE)
                    .until(() -> cluster.node(first)
                            .seats()
                            .getFirst()
                            .status()
                            .readiness()
                            .isReady());
            assertThat(TestCluster.json(cluster.get(second, "/status"))
                            .path("auditBroken")
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    void aHandoffInTwoPhasesMovesTheSeatsAndTheAuditGoesOn() throws Exception {
        try (TestCluster cluster = cluster()) {
            String from = awaitLeader(cluster);
            String to = from.equals("n1") ? "n2" : "n1";
            await().atMost(PATIENCE)
                    .until(() -> cluster.node(to)
                                    .seats()
                                    .getFirst()
                                    .status()
                                    .readiness()
                                    .isReady()
                            && cluster.node(from).peers().presentCount() == 2);
            PrepareHandoffResponse prepared = steer(cluster, from)
                    .prepareHandoff(PrepareHandoffRequest.newBuilder()
                            .setLeaseToken(status(cluster, from).getLeaseToken())
                            .setTargetId(to)
                            .build());
            assertThat(prepared.getTargetControlAddress())
                    .isEqualTo(cluster.node(to).controlAddress());

            assertThat(ControlServiceGrpc.newBlockingStub(connect(prepared.getTargetControlAddress()))
                            .completeHandoff(CompleteHandoffRequest.newBuilder()
                                    .setHandoffTicket(prepared.getHandoffTicket())
                                    .build())
                            .getActivated())
                    .isTrue();

            await().atMost(PATIENCE).untilAsserted(() -> {
                for (String name : List.of("n1", "n2", "n3")) {
                    String metrics = cluster.get(name, "/metrics").body();
                    assertThat(metrics).contains("baton_audit_records 4.0", "baton_audit_broken 0.0");
                }
            });
        }
    }

    @Test
    void theReasonThatAnOperatorGaveIsInTheAudit() throws Exception {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        try (TestCluster cluster = TestCluster.onRaft(folder, "n1")) {
            Node node = cluster.start("n1", this::steered);
            awaitLeader(cluster);

            assertThat(cluster.admin("n1", "/resume?why=disk+exchanged").statusCode())
                    .isEqualTo(200);
            assertThat(cluster.admin("n1", "/handoff?to=n9&why=kernel+update").statusCode())
                    .as("there is no such node, but it was asked for")
                    .isEqualTo(409);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(String.join(
                                    "\n", node.control().orElseThrow().newestRecords(10)))
                            .contains("disk exchanged", "to n9: kernel update"));
        }
    }

    @Test
    void aTicketWithoutTheClustersSealIsRefusedBetweenNodesToo() throws Exception {
        try (TestCluster cluster = cluster()) {
            String from = awaitLeader(cluster);
            String to = from.equals("n1") ? "n2" : "n1";
            JsonNode seat =
                    TestCluster.json(cluster.get(from, "/status")).path("seats").path(0);
            Ticket forged = Ticket.newBuilder()
                    .setCluster("demo")
                    .setSeat("blocks")
                    .setEra(1)
                    .setEpoch(seat.path("epoch").asLong())
                    .setHolder(from)
                    .setTarget(to)
                    .setHeight(seat.path("height").asLong())
                    .setValidMillis(5_000)
                    .build();

            assertThat(NodeServiceGrpc.newBlockingStub(connect(cluster.grpcAddress(to)))
                            .takeOver(TakeOverRequest.newBuilder()
                                    .setTicket(forged)
                                    .build())
                            .getRefused())
                    .contains("handoff_ticket: its seal is not this cluster's");
        }
    }

    @Test
    void aControlListenerOffTheLoopbackAddressNeedsCertificates() throws IOException {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        TestCluster cluster = TestCluster.inMemory(folder, "n1");
        String open = steered(cluster.yaml("n1"))
                .replace("control: {listen: \"127.0.0.1:0\"", "control: {listen: \"0.0.0.0:7404\"");

        assertThatThrownBy(() -> ConfigReader.read("n1", open, folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("control.listen: 0.0.0.0:7404 (expected: a loopback address");
    }
}
