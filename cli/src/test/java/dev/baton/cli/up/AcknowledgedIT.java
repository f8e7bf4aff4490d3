package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.NodeClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients submit to every node while leaders are killed: what was acknowledged is in exactly one block (INV-11). */
class AcknowledgedIT {

    private static final int CLIENTS = 4;
    private static final int KILLS = 3;

    /** Where a client was told that its transaction is, by the transaction's hash. */
    private record Receipt(long height, int index) {}

    private final NodeClient client = new NodeClient(Duration.ofSeconds(5));
    private final Map<String, Receipt> acknowledged = new ConcurrentHashMap<>();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void whatWasAcknowledgedIsInExactlyOneBlockWhereverTheLeaderDied(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningUp up = RunningUp.start(data, "up", "--json", "--interval", "100ms")) {
            awaitReady(data);
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<?>> submitting = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    submitting.add(clients.submit(() -> submitUntilEnough(data)));
                }
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitReady(data);
                    int before = acknowledged.size();
                    await().atMost(RunningUp.PATIENCE).until(() -> acknowledged.size() > before + 20);
                    RunningUp.ask(data, "crash", leader(data));
                }
                int after = acknowledged.size();
                await().atMost(RunningUp.PATIENCE).until(() -> acknowledged.size() > after + 20);
                enough.set(true);
                for (Future<?> one : submitting) {
                    one.get();
                }
            }
            awaitReady(data);
            checkEveryNode(data);
            up.process().destroy();
            assertThat(up.exitCode()).as(up.errors()).isZero();
            assertThat(up.lines().getLast().path("terms").asInt()).isGreaterThan(KILLS);
        }
    }

    /** As a careful client does: the same transaction again, at another node, until somebody acknowledges it. */
    private Void submitUntilEnough(Path data) throws Exception {
        while (!enough.get()) {
            String transaction = "transaction " + made.incrementAndGet();
            boolean done = false;
            for (int attempt = 0; !done; attempt++) {
                List<Member> nodes = nodes(data);
                URI node = http(nodes.get(attempt % nodes.size()));
                Optional<JsonNode> answer = client.post(
                                node, "/submit", transaction.getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(5))
                        .answer();
                answer.ifPresent(receipt -> acknowledged.put(
                        receipt.path("hash").asText(),
                        new Receipt(
                                receipt.path("height").asLong(),
                                receipt.path("index").asInt())));
                done = answer.isPresent();
            }
        }
        return null;
    }

    private void checkEveryNode(Path data) throws Exception {
        long top =
                acknowledged.values().stream().mapToLong(Receipt::height).max().orElseThrow();
        for (Member node : nodes(data)) {
            Map<String, Receipt> found = new HashMap<>();
            for (long height = 1; height <= top; height++) {
                JsonNode body = client.get(http(node), "/blocks/" + height)
                        .answer()
                        .orElseThrow()
                        .path("body");
                for (int index = 0; index < body.size(); index++) {
                    String hash = body.path(index).path("hash").asText();
                    Receipt twice = found.put(hash, new Receipt(height, index));
                    assertThat(twice)
                            .as("%s in two blocks of %s", hash, node.node())
                            .isNull();
                }
            }
            assertThat(found).as("blocks of %s", node.node()).containsAllEntriesOf(acknowledged);
        }
    }

    private static List<Member> nodes(Path data) throws Exception {
        return ClusterFile.read(data).orElseThrow().nodes();
    }

    private static URI http(Member node) {
        return URI.create("http://127.0.0.1:" + node.ports().http());
    }

    private static void awaitReady(Path data) {
        await().atMost(RunningUp.PATIENCE).ignoreExceptions().untilAsserted(() -> {
            JsonNode status = RunningUp.ask(data, "status");
            assertThat(status.path("leader").asText("")).isNotEmpty();
            for (JsonNode node : status.path("nodes")) {
                assertThat(node.path("ready").asBoolean()).isTrue();
            }
        });
    }

    private static String leader(Path data) throws Exception {
        return RunningUp.ask(data, "status", "--leader").path("leader").asText();
    }
}
