package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every metric that the published design names is scraped, on each engine, and moves. */
@Timeout(120)
class ScrapeTest {

    private static final List<String> PUBLISHED = List.of(
            "leader_id",
            "unsafe_head_advance",
            "peer_count",
            "rpc_error_rate",
            "da_publish_latency",
            "backlog",
            "leader_election_epoch",
            "leader_election_leader_last_seen_ts",
            "leader_election_heartbeat_timeout_total",
            "leader_election_leader_uptime_ms");

    private static final List<String> OWN = List.of(
            "baton_standing",
            "baton_height",
            "baton_applied_height",
            "baton_append_latency_seconds_count",
            "baton_pulses_failed_total",
            "baton_terms_opened_total",
            "baton_ready",
            "baton_last_commit_age",
            "baton_rejected_writes_total",
            "baton_problems_total",
            "baton_pulse_interval_seconds",
            "baton_takeover_phase_seconds_count",
            "jvm_memory_used_bytes",
            "process_cpu_usage");

    private static final String SEAT = "{seat=\"blocks\"}";

    @TempDir
    Path folder;

    private static Map<String, Double> scrape(TestCluster cluster, String name) {
        Map<String, Double> samples = new LinkedHashMap<>();
        cluster.get(name, "/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int space = line.lastIndexOf(' ');
                    samples.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
                });
        return samples;
    }

    private static void awaitSample(TestCluster cluster, String node, String sample, DoublePredicate wanted) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Double value = scrape(cluster, node).get(sample);
            assertThat(value != null && wanted.test(value))
                    .as("%s at %s is %s", sample, node, value)
                    .isTrue();
        });
    }

    private static double sample(TestCluster cluster, String node, String sample) {
        return Objects.requireNonNull(scrape(cluster, node).get(sample), sample);
    }

    private static void assertNamesAndHelp(TestCluster cluster, String node, String ofEngine) {
        String text = cluster.get(node, "/metrics").body();
        for (String name : PUBLISHED) {
            assertThat(text).containsPattern("(?m)^" + name + "[{ ]");
            assertThat(text).containsPattern("(?m)^# HELP " + name.replaceFirst("_total$", "") + "\\w* \\w");
        }
        for (String name : OWN) {
            assertThat(text).containsPattern("(?m)^" + name + "[{ ]");
        }
        assertThat(text).containsPattern("(?m)^" + ofEngine + "\\{");
    }

    private static void assertMovesWhileItLeads(TestCluster cluster, String leader) {
        for (String growing : List.of(
                "unsafe_head_advance" + SEAT,
                "leader_election_leader_last_seen_ts" + SEAT,
                "leader_election_leader_uptime_ms" + SEAT,
                "baton_height" + SEAT,
                "baton_append_latency_seconds_count" + SEAT)) {
            double before = sample(cluster, leader, growing);
            awaitSample(cluster, leader, growing, value -> value > before);
        }
        awaitSample(cluster, leader, "da_publish_latency" + SEAT, value -> value > 0);
    }

    @Test
    void inMemoryEveryPublishedMetricIsThereAndMoves() throws Exception {
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            await().until(() -> "n1".equals(cluster.leader()));
            awaitSample(cluster, "n1", "leader_id{node=\"n1\",seat=\"blocks\"}", value -> value == 1);
            assertNamesAndHelp(cluster, "n1", "lease_owner");
            assertThat(cluster.get("n1", "/metrics").body()).doesNotContain("raft_term");
            assertMovesWhileItLeads(cluster, "n1");

            // The peer is configured but not there: calls fail, then succeed.
            assertThat(sample(cluster, "n1", "peer_count")).isZero();
            awaitSample(cluster, "n1", "rpc_error_rate", value -> value > 0);
            cluster.start("n2");
            awaitSample(cluster, "n1", "peer_count", value -> value == 1);
            awaitSample(cluster, "n2", "baton_holders_attended", value -> value == 1);
            assertThat(sample(cluster, "n1", "baton_holders_attended")).isZero();
            awaitSample(cluster, "n1", "rpc_error_rate", value -> value < 1);

            // Publishing is held up, and goes on.
            Path lock = cluster.data("n1").resolve("da").resolve("blocks.da.lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                awaitSample(cluster, "n1", "backlog" + SEAT, value -> value > 3);
                assertThat(held.isValid()).isTrue();
            }
            awaitSample(cluster, "n1", "backlog" + SEAT, value -> value <= 3);

            // The holder falls silent.
            double epoch = sample(cluster, "n2", "leader_election_epoch" + SEAT);
            double timeouts = sample(cluster, "n2", "leader_election_heartbeat_timeout_total" + SEAT);
            await().until(() ->
                    cluster.node("n2").seats().getFirst().status().readiness().isReady());
            cluster.connection("n1").cut();
            awaitSample(cluster, "n2", "leader_id{node=\"n2\",seat=\"blocks\"}", value -> value == 1);
            awaitSample(cluster, "n2", "lease_owner{node=\"n2\",seat=\"blocks\"}", value -> value == 1);
            assertThat(scrape(cluster, "n2")).doesNotContainKey("leader_id{node=\"n1\",seat=\"blocks\"}");
            assertThat(sample(cluster, "n2", "leader_election_epoch" + SEAT)).isGreaterThan(epoch);
            assertThat(sample(cluster, "n2", "leader_election_heartbeat_timeout_total" + SEAT))
                    .isGreaterThan(timeouts);
            awaitSample(cluster, "n2", "baton_terms_opened_total" + SEAT, value -> value == 1);
            awaitSample(cluster, "n1", "baton_pulses_failed_total" + SEAT, value -> value > 0);
            cluster.connection("n1").heal();
        }
    }

    @Test
    void onRaftEveryPublishedMetricIsThereAndMoves() throws Exception {
        try (TestCluster cluster = TestCluster.onRaft(folder, "n1", "n2", "n3")) {
            cluster.startAll();
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.leader() != null);
            String first = Objects.requireNonNull(cluster.leader());
            awaitSample(cluster, first, "leader_id{node=\"" + first + "\",seat=\"blocks\"}", value -> value == 1);
            assertNamesAndHelp(cluster, first, "raft_term");
            assertThat(cluster.get(first, "/metrics").body()).doesNotContain("lease_owner");
            assertMovesWhileItLeads(cluster, first);
            awaitSample(cluster, first, "peer_count", value -> value == 2);

            double term = sample(cluster, first, "raft_term" + SEAT);
            cluster.stop(first);
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.leader() != null);
            String second = Objects.requireNonNull(cluster.leader());
            awaitSample(cluster, second, "raft_term" + SEAT, value -> value > term);
            assertThat(sample(cluster, second, "leader_election_epoch" + SEAT))
                    .isEqualTo(sample(cluster, second, "raft_term" + SEAT));
            awaitSample(cluster, second, "rpc_error_rate", value -> value > 0);

            // Without a majority its pulses cannot be committed.
            List.of("n1", "n2", "n3").stream()
                    .filter(name -> !name.equals(first) && !name.equals(second))
                    .forEach(cluster::stop);
            awaitSample(cluster, second, "leader_election_heartbeat_timeout_total" + SEAT, value -> value > 0);
            awaitSample(cluster, second, "peer_count", value -> value == 0);
        }
    }
}
