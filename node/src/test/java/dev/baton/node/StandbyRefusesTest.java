package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.control.seal.ClusterKey;
import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A standby with a wrong key, clock or configuration does not take over, says why, and what it measures raises an alert. */
class StandbyRefusesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private String steered(String yaml, String key) {
        return yaml + "control: {listen: \"127.0.0.1:0\", key: " + folder.resolve(key) + "}\n";
    }

    private TestCluster twoRightNodes() throws Exception {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2", "n3");
        cluster.start("n1", yaml -> steered(yaml, "cluster.key"));
        await().atMost(PATIENCE).until(() -> "n1".equals(cluster.leader()));
        cluster.start("n2", yaml -> steered(yaml, "cluster.key"));
        await().atMost(PATIENCE)
                .until(() -> cluster.node("n1").peers().presentCount() == 1
                        && seat(cluster, "n2").path("ready").asBoolean());
        return cluster;
    }

    private static JsonNode seat(TestCluster cluster, String name) {
        return TestCluster.json(cluster.get(name, "/status")).path("seats").path(0);
    }

    private void assertRefuses(TestCluster cluster, String why) throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(seat(cluster, "n3").path("notReady").asText())
                                .contains(why));
        assertThat(seat(cluster, "n3").path("explain").asText()).contains(why);
        assertThat(cluster.admin("n1", "/handoff?to=n3").statusCode()).isEqualTo(409);
        assertFires("BatonNodeNotReady", cluster, "n3");

        cluster.stop("n1");
        await().atMost(PATIENCE).until(() -> "n2".equals(cluster.leader()));
        cluster.stop("n2");

        // It sees that the seat is free, and that those it differs from are gone; and still does not stand for it.
        await().atMost(PATIENCE)
                .until(() -> seat(cluster, "n3").path("holder").isNull()
                        && cluster.node("n3").peers().presentCount() == 0);
        assertThat(seat(cluster, "n3").path("standing").asText()).isEqualTo("FOLLOWER");
        assertThat(seat(cluster, "n3").path("notReady").asText()).contains(why);
    }

    @Test
    void oneWhoseClockIsAnHourAheadRefuses() throws Exception {
        try (TestCluster cluster = twoRightNodes()) {
            InstantSource ahead = () -> InstantSource.system().instant().plus(Duration.ofHours(1));
            cluster.start("n3", yaml -> steered(yaml, "cluster.key"), ahead);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    seat(cluster, "n3").path("notReady").asText())
                            .contains("clock: 36"));
            assertFires("BatonClockOff", cluster, "n1");
            assertThat(seat(cluster, "n1").path("ready").asBoolean())
                    .as("two against one")
                    .isTrue();

            assertRefuses(cluster, "s ahead of that of n");
        }
    }

    @Test
    void oneThatIsConfiguredDifferentlyRefuses() throws Exception {
        try (TestCluster cluster = twoRightNodes()) {
            // It knows of no peers, and so does not find out by itself before it joins.
            cluster.start(
                    "n3",
                    yaml -> steered(
                            yaml.replace("interval: 100ms", "interval: 200ms").replaceFirst("(?s)\\npeers:.*", "\n"),
                            "cluster.key"));

            assertRefuses(cluster, "pulse.interval: PT0.2S at n3, PT0.1S at n");
        }
    }

    @Test
    void oneWithAnotherClustersKeyIsNotEvenStarted() throws Exception {
        try (TestCluster cluster = twoRightNodes()) {
            ClusterKey.createIfAbsent(folder.resolve("other.key"));

            NodeFailure refused = catchThrowableOfType(
                    NodeFailure.class, () -> cluster.start("n3", yaml -> steered(yaml, "other.key")));

            assertThat(refused.code()).isEqualTo(ExitCode.DISAGREEMENT);
            assertThat(refused).hasMessageContaining("control.key: ");
            assertFires("BatonPeerMissing", cluster, "n1");
        }
    }

    @Test
    void oneWhoseSigningKeyIsNotTheOneThatTheOthersKnowIsNotEvenStarted() throws Exception {
        try (TestCluster cluster = twoRightNodes()) {
            Path key = ServedSequencer.keyFile(cluster.data("n3"));
            Files.delete(key);
            LocalEd25519Signer.loadOrCreate(new NodeId("n3"), Era.FIRST, key);

            NodeFailure refused = catchThrowableOfType(
                    NodeFailure.class, () -> cluster.start("n3", yaml -> steered(yaml, "cluster.key")));

            assertThat(refused).hasMessageContaining("sequencer.signers.n3");
            assertFires("BatonPeerMissing", cluster, "n1");
        }
    }

    /** Gives what the node measures to the rules as they are shipped, and lets it stay so for some minutes. */
    private void assertFires(String alert, TestCluster cluster, String node) throws IOException, InterruptedException {
        String series = cluster.get(node, "/metrics")
                .body()
                .lines()
                .filter(line -> line.matches("baton_(ready|peers_missing|clock_difference_seconds)[ {].*"))
                .map(line -> series(line, node))
                .collect(Collectors.joining());
        Path test = Files.writeString(folder.resolve(alert + ".test.yml"), """
                rule_files: ["%s"]
                evaluation_interval: 30s
                tests:
                  - interval: 30s
                    input_series:
                %s    promql_expr_test:
                      - expr: count(ALERTS{alertname="%s", alertstate="firing", instance="%s"}) > 0
                        eval_time: 3m
                        exp_samples: [{labels: "{}", value: %d}]
                """.formatted(
                        Path.of("..", "docs", "alerts", "seats.rules.yml")
                                .toAbsolutePath()
                                .normalize(),
                        series,
                        alert,
                        node,
                        alert.equals("BatonNodeNotReady") ? 2 : 1)); // a seat and the audit's seat
        Process promtool = new ProcessBuilder("promtool", "test", "rules", test.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(said + series).isZero();
    }

    private static String series(String line, String node) {
        int end = line.lastIndexOf(' ');
        String name = line.substring(0, end).replace("}", "");
        String labelled =
                name.contains("{") ? name + ",instance=\"" + node + "\"}" : name + "{instance=\"" + node + "\"}";
        return "      - {series: '" + labelled + "', values: '" + line.substring(end + 1) + "x10'}\n";
    }
}
