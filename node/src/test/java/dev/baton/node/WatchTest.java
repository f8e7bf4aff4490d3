package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a proxy learns of a change at once. */
@Timeout(120)
class WatchTest {

    @TempDir
    Path folder;

    private static HttpResponse<String> watch(TestCluster cluster, String node, long known, long waitMillis) {
        return cluster.get(node, "/watch?seat=blocks&known=" + known + "&waitMillis=" + waitMillis);
    }

    @Test
    void theQuestionIsAnsweredWhenTheNodeStandsDifferently() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            await().atMost(Duration.ofSeconds(60)).until(() -> "n1".equals(cluster.leader()));
            JsonNode leads = TestCluster.json(watch(cluster, "n1", -1, 0));
            assertThat(leads.path("serves").asBoolean()).isTrue();
            assertThat(leads.path("epoch").asLong()).isPositive();

            long version = leads.path("version").asLong();
            CompletableFuture<JsonNode> next =
                    CompletableFuture.supplyAsync(() -> TestCluster.json(watch(cluster, "n1", version, 60_000)));
            assertThat(cluster.admin("n1", "/pause?why=test").statusCode()).isEqualTo(200);
            JsonNode paused = next.get();
            assertThat(paused.path("serves").asBoolean()).isFalse();
            assertThat(paused.path("version").asLong()).isGreaterThan(version);
        }
    }

    @Test
    void anUnchangedStandingIsToldWhenThePatienceEnds() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start("n1");
            await().atMost(Duration.ofSeconds(60)).until(() -> "n1".equals(cluster.leader()));
            long version = TestCluster.json(watch(cluster, "n1", -1, 0))
                    .path("version")
                    .asLong();
            JsonNode same = TestCluster.json(watch(cluster, "n1", version, 50));
            assertThat(same.path("version").asLong()).isEqualTo(version);
            assertThat(watch(cluster, "n1", -1, 1_000_000).statusCode()).isEqualTo(400);
            assertThat(cluster.get("n1", "/watch?seat=nowhere").statusCode()).isEqualTo(404);
        }
    }
}
