package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;

/** An {@code up} cluster that is steered over its control listeners, as a program of an operator's would. */
final class SteeredCluster implements AutoCloseable {

    private static final long MOST_BEHIND = 3;

    private final Path data;
    private final int size;
    private final NodeClient client = new NodeClient(Duration.ofSeconds(5));
    private final List<ManagedChannel> channels = new ArrayList<>();

    SteeredCluster(Path data, int size) {
        this.data = data;
        this.size = size;
    }

    private URI http(ClusterFile.Member member) {
        return URI.create("http://127.0.0.1:" + member.ports().http());
    }

    /** What each node that answers says of itself. */
    private Map<String, JsonNode> statuses() throws Exception {
        Map<String, JsonNode> found = new LinkedHashMap<>();
        for (ClusterFile.Member member : ClusterFile.read(data).orElseThrow().nodes()) {
            client.get(http(member), "/status").answer().ifPresent(status -> found.put(member.node(), status));
        }
        return found;
    }

    private static JsonNode seat(JsonNode status) {
        return status.path("seats").path(0);
    }

    /** Waits until every node is up, ready and level, knows the others, and one of them leads; the name of that one. */
    String awaitCalm() {
        await().atMost(RunningUp.PATIENCE).until(() -> {
            Map<String, JsonNode> now = statuses();
            return now.size() == size
                    && leaders(now).size() == 1
                    && isLevel(now)
                    && now.values().stream()
                            .allMatch(status -> seat(status).path("ready").asBoolean()
                                    && status.path("peers")
                                                    .valueStream()
                                                    .filter(peer ->
                                                            peer.path("present").asBoolean())
                                                    .count()
                                            == size - 1);
        });
        try {
            return leaders(statuses()).getFirst();
        } catch (Exception e) {
            throw new IllegalStateException("it was calm a moment ago", e);
        }
    }

    /** A node that comes back has to catch up before it can be handed anything. */
    private static boolean isLevel(Map<String, JsonNode> statuses) {
        LongSummaryStatistics applied = statuses.values().stream()
                .mapToLong(status -> seat(status).path("applied").asLong())
                .summaryStatistics();
        return applied.getMax() - applied.getMin() <= MOST_BEHIND;
    }

    private static List<String> leaders(Map<String, JsonNode> statuses) {
        return statuses.entrySet().stream()
                .filter(entry ->
                        seat(entry.getValue()).path("standing").asText().equals("LEADER"))
                .map(Map.Entry::getKey)
                .toList();
    }

    String other(String node) {
        return node.equals("n1") ? "n2" : "n1";
    }

    private JsonNode status(String node) throws Exception {
        return Objects.requireNonNull(statuses().get(node), node);
    }

    ControlServiceGrpc.ControlServiceBlockingStub steer(String node) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forTarget(
                        status(node).path("control").asText())
                .usePlaintext()
                .build();
        channels.add(channel);
        return ControlServiceGrpc.newBlockingStub(channel).withDeadlineAfter(Duration.ofSeconds(30));
    }

    StatusResponse steered(String node) throws Exception {
        return steer(node).status(StatusRequest.getDefaultInstance());
    }

    PrepareHandoffResponse prepare(String from, String to) throws Exception {
        return steer(from)
                .prepareHandoff(PrepareHandoffRequest.newBuilder()
                        .setLeaseToken(steered(from).getLeaseToken())
                        .setTargetId(to)
                        .setReason("test")
                        .build());
    }

    /** By SIGKILL; {@code up} starts it again a second later. */
    void kill(String node) throws Exception {
        ProcessHandle process =
                ProcessHandle.of(status(node).path("pid").asLong()).orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        process.onExit().get();
    }

    long height() throws Exception {
        return statuses().values().stream()
                .mapToLong(status -> seat(status).path("height").asLong())
                .max()
                .orElse(0);
    }

    void awaitHeight(long height) {
        await().atMost(RunningUp.PATIENCE).until(() -> height() >= height);
    }

    /** The longest time between two blocks that follow each other, by their own times. */
    long worstGapMillis(long fromHeight, long toHeight) throws Exception {
        ClusterFile.Member member = ClusterFile.read(data).orElseThrow().nodes().stream()
                .filter(node -> node.node().equals(awaitCalm()))
                .findFirst()
                .orElseThrow();
        long worst = 0;
        long lastMillis = 0;
        for (long height = fromHeight; height <= toHeight; height++) {
            long millis = client.get(http(member), "/blocks/" + height)
                    .answer()
                    .orElseThrow()
                    .path("timeMillis")
                    .asLong();
            assertThat(millis).as("block %s", height).isPositive();
            worst = lastMillis == 0 ? 0 : Math.max(worst, millis - lastMillis);
            lastMillis = millis;
        }
        return worst;
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
