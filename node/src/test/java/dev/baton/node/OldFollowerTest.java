package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.Look;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that was away for so long that the ledger no longer reaches back to it. */
class OldFollowerTest {

    /** A ledger that forgets quickly, and blocks that come fast. */
    private static String forgetful(String yaml) {
        return yaml.replace("interval: 100ms", "interval: 20ms")
                .replace(
                        "    sequencer:\n",
                        "    keep: {entries: 20, bytes: 1048576}\n    sequencer:\n      checkpoint-every: 10\n");
    }

    @Test
    void aFollowerOlderThanTheLedgerCatchesUpFromItsPeersStoresAndIsReadyAgain(@TempDir Path folder) throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1", OldFollowerTest::forgetful);
            await().atMost(Duration.ofSeconds(30)).until(() -> height(cluster, "n1") > 5);
            cluster.start("n2", OldFollowerTest::forgetful);
            await().atMost(Duration.ofSeconds(30)).until(() -> height(cluster, "n2") > 10);
            cluster.stop("n2");
            long gone = height(cluster, "n1");
            await().atMost(Duration.ofSeconds(60)).until(() -> height(cluster, "n1") > gone + 200);

            assertThat(ledgerBegins(cluster)).isGreaterThan(gone + 1);

            cluster.start("n2", OldFollowerTest::forgetful);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> seat(cluster, "n2").path("ready").asBoolean() && height(cluster, "n2") > gone + 200);
            for (long at = gone - 1; at <= gone + 150; at += 10) {
                assertThat(hashAt(cluster, "n2", at)).isEqualTo(hashAt(cluster, "n1", at));
            }
        }
    }

    private static long ledgerBegins(TestCluster cluster) {
        Look look = cluster.connection("n1")
                .seat(SeatId.of("demo", "blocks"))
                .look()
                .toCompletableFuture()
                .join();
        return ((Look.Held) look).oldest().value();
    }

    private static JsonNode seat(TestCluster cluster, String node) {
        return TestCluster.json(cluster.get(node, "/status")).path("seats").path(0);
    }

    private static long height(TestCluster cluster, String node) {
        return seat(cluster, node).path("applied").asLong();
    }

    private static String hashAt(TestCluster cluster, String node, long height) {
        return TestCluster.json(cluster.get(node, "/blocks/" + height))
                .path("hash")
                .asText();
    }
}
