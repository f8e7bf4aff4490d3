package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The servers of each engine as a node shows them. */
@Timeout(120)
class EngineServersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private NodeConfig config(String authority) throws Exception {
        return ConfigReader.read("n1", """
                        cluster: demo
                        node: n1
                        data: n1
                        listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
                        authority: %s
                        seats: [{name: blocks, duty: sequencer, pulse: {interval: 200ms}}]
                        """.formatted(authority), folder);
    }

    private static String quoted(List<String> addresses) {
        return "[\"" + String.join("\", \"", addresses) + "\"]";
    }

    private static List<JsonNode> servers(Node node) {
        List<JsonNode> servers = new ArrayList<>();
        TestCluster.json(TestCluster.ask("GET", node.ownHttpAddress(), "/nodes", ""))
                .at("/seats/0/nodes")
                .forEach(servers::add);
        return servers;
    }

    /** Where nothing is wrong, every server has the holder's name, its epoch and its ledger. */
    private static List<JsonNode> awaitWell(Node node) {
        RedisNodes.awaitHeightAbove(node, 1);
        await().atMost(PATIENCE)
                .until(() -> servers(node).stream()
                        .allMatch(server -> server.path("health").asText().equals("well")
                                && server.path("height").asLong() > 1));
        List<JsonNode> servers = servers(node);
        assertThat(servers).allSatisfy(server -> {
            assertThat(server.path("seat").asText()).isEqualTo("n1");
            assertThat(server.path("promised").asLong())
                    .isEqualTo(RedisNodes.seat(node).path("epoch").asLong());
            assertThat(server.path("trouble").asText()).isEmpty();
        });
        return servers;
    }

    private static void awaitSilent(Node node, int index) {
        await().atMost(PATIENCE)
                .until(() -> servers(node).get(index).path("health").asText().equals("silent"));
        assertThat(servers(node).get(index).path("trouble").asText()).isNotEmpty();
    }

    @Test
    void onRedisEachServerTellsItsSeat() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            NodeConfig config = RedisNodes.config(folder, servers.addresses(), yaml -> yaml);
            RedisSeats.found(config);
            try (Node node = Node.start(config)) {
                awaitWell(node);

                servers.get(2).kill();

                awaitSilent(node, 2);
                assertThat(servers(node).get(2).path("height").asLong())
                        .as("what it said before")
                        .isPositive();
            }
        }
    }

    @Test
    void onEtcdTheMembersAreShownAndNotTheNodes() throws Exception {
        try (EtcdServers servers = EtcdServers.start(3, folder);
                Node node = Node.start(config("{kind: etcd, endpoints: " + quoted(servers.addresses()) + "}"))) {
            List<JsonNode> well = awaitWell(node);
            assertThat(well).extracting(one -> one.path("address").asText()).isEqualTo(servers.addresses());
            assertThat(well)
                    .filteredOn(one -> one.path("member").asText().equals("leader"))
                    .hasSize(1);
            assertThat(well).allMatch(one -> one.path("note").asText().contains("database"));

            servers.get(2).kill();

            awaitSilent(node, 2);
            assertThat(TestCluster.ask("POST", node.adminAddress(), "/nodes/change?leave=127.0.0.1:1", "")
                            .body())
                    .contains("etcdctl member");
        }
    }

    @Test
    void onNatsTheServerThatLeadsTheStreamIsShown() throws Exception {
        try (NatsServers servers = NatsServers.start(1, folder);
                Node node = Node.start(config("{kind: nats, servers: " + quoted(servers.addresses()) + "}"))) {
            assertThat(awaitWell(node))
                    .singleElement()
                    .satisfies(one -> assertThat(one.path("member").asText()).isEqualTo("leads the stream"));

            servers.get(0).kill();

            awaitSilent(node, 0);
        }
    }
}
