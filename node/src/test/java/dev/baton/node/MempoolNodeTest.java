package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.redis.testing.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes with a sequencer and a mempool: a transaction's life, over HTTP. */
@Timeout(180)
class MempoolNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private RedisServer redis;

    @BeforeEach
    void start() {
        redis = RedisServer.in(folder.resolve("redis")).appendfsync("no").start();
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    /** The same node with a mempool beside its blocks. */
    private String withMempool(String yaml) {
        int peers = yaml.indexOf("peers:\n", yaml.indexOf("seats:\n"));
        return yaml.substring(0, peers)
                + "  - name: mempool\n    duty: mempool\n    pulse: {interval: 100ms, timeout: 500ms}\n"
                + "    takeover: {delay: 1500ms}\n"
                + "    mempool: {url: \"redis://" + redis.address() + "\", drop-after: 500, claim-lease: 2s}\n"
                + yaml.substring(peers);
    }

    private static String submit(TestCluster cluster, String node, String transaction) {
        HttpResponse<String> answer = cluster.post(node, "/mempool/submit", transaction);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return TestCluster.json(answer).path("hash").asText();
    }

    private static String stage(TestCluster cluster, String node, String hash) {
        return TestCluster.json(cluster.get(node, "/mempool/status/" + hash))
                .path("stage")
                .asText();
    }

    @Test
    void transactionsOfAnyNodeAreFinalizedOnceAcrossAFailover() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1", this::withMempool);
            cluster.start("n2", this::withMempool);
            await().atMost(PATIENCE).until(() -> cluster.leader() != null);
            List<String> hashes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                hashes.add(submit(cluster, i % 2 == 0 ? "n1" : "n2", "transaction " + i));
            }
            cluster.stop("n1");
            for (int i = 20; i < 40; i++) {
                hashes.add(submit(cluster, "n2", "transaction " + i));
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(hashes)
                            .allSatisfy(hash ->
                                    assertThat(stage(cluster, "n2", hash)).isEqualTo("FINALIZED")));
            JsonNode stats = TestCluster.json(cluster.get("n2", "/mempool/stats"));
            assertThat(stats.path("finalized").asLong()).isEqualTo(hashes.size());
            assertThat(stats.path("pending").asLong() + stats.path("inflight").asLong())
                    .isZero();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(cluster.node("n2").metrics())
                            .contains("baton_mempool_finalized{seat=\"mempool\"} 40.0")
                            .contains(
                                    "baton_mempool_pending{",
                                    "baton_mempool_inflight{",
                                    "baton_mempool_watcher{seat=\"mempool\"} 1.0",
                                    "baton_mempool_oldest_pending_seconds{",
                                    "baton_mempool_claims_returned_total{",
                                    "baton_mempool_fenced_confirms_total{")
                            .containsPattern(
                                    "baton_mempool_operation_seconds_count\\{failed=\"false\",operation=\"receive\"")
                            .containsPattern("baton_mempool_operation_seconds_count\\{[^}]*operation=\"confirm"));
        }
    }

    @Test
    void whatIsRefusedIsToldWithItsReason() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1", yaml -> withMempool(yaml).replace("claim-lease: 2s", "propagate: false"));
            await().atMost(PATIENCE).until(() -> cluster.leader() != null);
            String hash = submit(cluster, "n1", "once");
            HttpResponse<String> again = cluster.post("n1", "/mempool/submit", "once");
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(TestCluster.json(again).path("reason").asText()).isEqualTo("DUPLICATE");
            assertThat(cluster.post("n1", "/mempool/submit?conflict-keys=aa", "spends aa")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(TestCluster.json(cluster.post("n1", "/mempool/submit?conflict-keys=aa", "spends aa too"))
                            .path("reason")
                            .asText())
                    .isEqualTo("CONFLICT");
            assertThat(cluster.post("n1", "/mempool/submit", "").statusCode()).isEqualTo(400);
            assertThat(cluster.get("n1", "/mempool/status/zz").statusCode()).isEqualTo(400);
            assertThat(cluster.get("n1", "/mempool/pending?after=-1").statusCode())
                    .isEqualTo(400);
            assertThat(cluster.get("n1", "/mempool/pending?limit=5000").statusCode())
                    .isEqualTo(400);
            JsonNode page = TestCluster.json(cluster.get("n1", "/mempool/pending?limit=1"));
            assertThat(page.path("transactions").path(0).path("hash").asText()).isEqualTo(hash);
            assertThat(page.path("hasMore").asBoolean()).isTrue();
            redis.kill();
            HttpResponse<String> away = cluster.get("n1", "/mempool/stats");
            assertThat(away.statusCode()).isEqualTo(503);
            redis.start();
            await().atMost(PATIENCE)
                    .until(() -> cluster.get("n1", "/mempool/stats").statusCode() == 200);
        }
    }

    @Test
    void aNodeWhosePoolCannotBeUsedDoesNotStart() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            redis.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThatThrownBy(() -> cluster.start("n1", this::withMempool))
                    .isInstanceOf(NodeFailure.class)
                    .hasMessageContaining("seats: mempool: mempool.url: ")
                    .hasMessageContaining("expected: noeviction");
        }
    }
}
