package dev.baton.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.node.EngineRoom;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoomMetricsTest {

    private final NodeMetrics metrics = new NodeMetrics(
            "etcd",
            new NodeMetrics.Peers(() -> 0, () -> 0, () -> 0L),
            new CallMeter(System::nanoTime),
            () -> 0,
            () -> 0);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void eachServerHasALineAndTheQuotaOnlyWhereItIsTold() {
        List<EngineRoom.Used> seen = List.of(
                new EngineRoom.Used("a:1", 5_000, OptionalLong.of(8_000), false),
                new EngineRoom.Used("b:1", 9_000, OptionalLong.empty(), true));
        RoomMetrics asked = metrics.add(() -> seen);
        try {
            await().atMost(Duration.ofSeconds(30)).until(metrics::scrape, text -> text.contains("database_bytes{"));

            assertThat(metrics.scrape().lines())
                    .contains(
                            "baton_engine_database_bytes{server=\"a:1\"} 5000.0",
                            "baton_engine_database_bytes{server=\"b:1\"} 9000.0",
                            "baton_engine_quota_bytes{server=\"a:1\"} 8000.0",
                            "baton_engine_full{server=\"a:1\"} 0.0",
                            "baton_engine_full{server=\"b:1\"} 1.0")
                    .noneMatch(line -> line.startsWith("baton_engine_quota_bytes{server=\"b:1\"}"));
        } finally {
            asked.close();
        }
    }

    @Test
    void aScrapeDoesNotWaitForServersThatKeepSilent() {
        CountDownLatch never = new CountDownLatch(1);
        RoomMetrics asked = metrics.add(() -> {
            never.await();
            return List.of();
        });
        try {
            assertThat(metrics.scrape()).doesNotContain("baton_engine_database_bytes{");
        } finally {
            asked.close();
        }
    }
}
