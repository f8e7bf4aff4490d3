package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.control.certs.DevelopmentCertificates;
import dev.baton.control.certs.DevelopmentCertificates.Use;
import dev.baton.control.seal.ClusterKey;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Looked;
import dev.baton.duty.remote.RemoteSequencer;
import dev.baton.duty.remote.admin.AdminApiSequencer;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import dev.baton.duty.remote.peer.PeerSequencer;
import dev.baton.duty.remote.peer.PeerSettings;
import dev.baton.node.config.NodeConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes, each with a sequencer beside it. */
@Timeout(180)
class RemoteNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private PeerSequencer sequencer(String name, int port, int other) throws Exception {
        return PeerSequencer.start(
                new PeerSettings(
                        new InetSocketAddress("127.0.0.1", port),
                        Optional.empty(),
                        folder.resolve("sequencer-" + name),
                        Duration.ofMillis(50),
                        Optional.of(folder.resolve("cluster.key")),
                        List.of("127.0.0.1:" + other),
                        false,
                        Optional.empty()),
                "test");
    }

    private static String withRemote(String yaml, int port) {
        int seats = yaml.indexOf("seats:\n");
        return yaml.substring(0, seats)
                + "seats:\n  - name: blocks\n    duty: remote\n    pulse: {interval: 100ms}\n"
                + "    remote: {key: cluster.key, address: \"127.0.0.1:" + port + "\"}\n"
                + yaml.substring(yaml.indexOf("peers:\n", seats));
    }

    private static double measured(TestCluster cluster, String node, String metric) {
        return cluster.node(node)
                .metrics()
                .lines()
                .filter(line -> line.startsWith(metric + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static void awaitMetric(TestCluster cluster, String node, String metric, double atLeast) {
        await().atMost(PATIENCE).until(() -> measured(cluster, node, metric) >= atLeast);
    }

    @Test
    void theSeatAndTheBlocksMoveTogetherAndTheMetricsTellOfIt() throws Exception {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        List<Integer> ports = TestCluster.freePorts(2);
        try (TestCluster cluster = TestCluster.inMemory(folder, Duration.ofSeconds(7), "n1", "n2");
                PeerSequencer one = sequencer("n1", ports.get(0), ports.get(1));
                PeerSequencer two = sequencer("n2", ports.get(1), ports.get(0))) {
            cluster.start("n1", yaml -> withRemote(yaml, one.address().getPort()));
            cluster.start("n2", yaml -> withRemote(yaml, two.address().getPort()));
            await().atMost(PATIENCE).until(() -> cluster.leader() != null);
            String first = Objects.requireNonNull(cluster.leader());
            String second = first.equals("n1") ? "n2" : "n1";
            awaitMetric(cluster, first, "baton_remote_recorded", 3);
            awaitMetric(cluster, second, "baton_remote_recorded", 3);
            assertThat(measured(cluster, first, "baton_remote_active")).isEqualTo(1);
            assertThat(measured(cluster, second, "baton_remote_active")).isZero();
            assertThat(cluster.get(first, "/status").body()).contains("\"remote\"");

            double left = measured(cluster, first, "baton_remote_recorded");
            cluster.stop(first);
            awaitMetric(cluster, second, "baton_remote_recorded", left + 3);
            assertThat(measured(cluster, second, "baton_remote_active")).isEqualTo(1);
            assertThat(measured(cluster, second, "baton_fencing_failed_total")).isZero();
        }
    }

    @Test
    void overMutualTlsOnlyAKnownCertificateReachesTheSequencer() throws Exception {
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
        Path certs = folder.resolve("certs");
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        DevelopmentCertificates authority = DevelopmentCertificates.found(certs, "demo", Duration.ofDays(1));
        authority.issue("server", Use.SERVER, List.of("localhost", "127.0.0.1"), tomorrow);
        authority.issue("agent", Use.CLIENT, List.of("baton://demo/agent"), tomorrow);
        DevelopmentCertificates.found(folder.resolve("foreign"), "demo", Duration.ofDays(1))
                .issue("agent", Use.CLIENT, List.of("baton://demo/agent"), tomorrow);
        PeerSettings settings = new PeerSettings(
                new InetSocketAddress("127.0.0.1", 0),
                Optional.empty(),
                folder.resolve("sequencer"),
                Duration.ofMillis(50),
                Optional.of(folder.resolve("cluster.key")),
                List.of(),
                false,
                Optional.of(new PeerSettings.Tls(
                        certs.resolve("server.crt"), certs.resolve("server.key"), certs.resolve("ca.crt"))));
        try (PeerSequencer sequencer = PeerSequencer.start(settings, "test")) {
            String address = "127.0.0.1:" + sequencer.address().getPort();
            assertThat(look(address, certs)).isInstanceOf(Looked.Seen.class);
            assertThat(look(address, folder.resolve("foreign"))).isInstanceOf(Looked.Silent.class);
        }
    }

    /** With the certificate in this folder; the sequencer is believed in any case. */
    private Looked look(String address, Path shown) throws Exception {
        NodeConfig.Tls tls = new NodeConfig.Tls(
                shown.resolve("agent.crt"),
                shown.resolve("agent.key"),
                folder.resolve("certs").resolve("ca.crt"));
        try (RemoteSequencer remote = new AdminApiSequencer(
                address,
                ServedRemote.credentials(Optional.of(tls)),
                Duration.ofSeconds(10),
                new LeaseTokens(LeaseKey.read(folder.resolve("cluster.key"))))) {
            return remote.look(BlockRef.NONE);
        }
    }
}
