package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.node.config.NodeConfig;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node on real Redis servers: founding, changing the servers under it, and coming back after all is forgotten. */
@Timeout(120)
class RedisNodeTest {

    @TempDir
    Path folder;

    private NodeConfig config(List<String> redis) {
        return RedisNodes.config(folder, redis, yaml -> yaml);
    }

    private static List<String> members(JsonNode nodes) {
        List<String> members = new ArrayList<>();
        nodes.path("nodes").forEach(node -> {
            if (!node.path("member").isNull()) {
                members.add(node.path("address").asText());
            }
        });
        return members;
    }

    @Test
    void foundingTwiceChangesNothingAndALostSeatIsNotFoundedAgain() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            NodeConfig config = config(servers.addresses());
            List<RedisSeats.Founded> first = RedisSeats.found(config);
            assertThat(first).allMatch(RedisSeats.Founded::now);
            try (Node node = Node.start(config)) {
                RedisNodes.awaitHeightAbove(node, 2);
            }
            List<String> before = RedisNodes.contents(servers);

            List<RedisSeats.Founded> again = RedisSeats.found(config);

            assertThat(again).noneMatch(RedisSeats.Founded::now);
            assertThat(again.getFirst().members()).isEqualTo(first.getFirst().members());
            assertThat(RedisNodes.contents(servers)).isEqualTo(before);

            servers.get(0).call("FLUSHALL");
            servers.get(1).call("FLUSHALL");
            assertThatThrownBy(() -> RedisSeats.found(config)).hasMessageContaining("with a history");
            servers.get(2).call("FLUSHALL");
            assertThatThrownBy(() -> RedisSeats.found(config)).hasMessageContaining("expected: baton recover");
            assertThatThrownBy(() -> Node.start(config).close()).hasMessageContaining("expected: baton recover");
            assertThat(servers.all())
                    .allSatisfy(server -> assertThat(server.call("DBSIZE")).isEqualTo(0L));
        }
    }

    @Test
    void aServerIsReplacedWhileTheNodeWorks() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder);
                RedisServer fourth = RedisServer.in(folder.resolve("fourth")).start()) {
            NodeConfig config = config(servers.addresses());
            RedisSeats.found(config);
            try (Node node = Node.start(config)) {
                RedisNodes.awaitHeightAbove(node, 2);
                String gone = servers.get(2).address();

                HttpResponse<String> changed = TestCluster.ask(
                        "POST", node.adminAddress(), "/nodes/change?leave=" + gone + "&enter=" + fourth.address(), "");

                assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
                assertThat(members(TestCluster.json(changed)))
                        .containsExactlyInAnyOrder(
                                servers.get(0).address(), servers.get(1).address(), fourth.address());
                servers.get(1).kill(); // so that the new one is needed
                servers.get(2).kill();
                RedisNodes.awaitHeightAbove(node, RedisNodes.height(node) + 3);
            }
        }
    }

    @Test
    void aChangeThatCannotBeIsRefused() throws Exception {
        try (RedisServers servers = RedisServers.start(1, folder)) {
            NodeConfig config = config(servers.addresses());
            RedisSeats.found(config);
            try (Node node = Node.start(config)) {
                RedisNodes.awaitHeightAbove(node, 1);
                assertThat(TestCluster.ask("POST", node.adminAddress(), "/nodes/change", "")
                                .statusCode())
                        .isEqualTo(400);
                HttpResponse<String> stranger =
                        TestCluster.ask("POST", node.adminAddress(), "/nodes/change?leave=127.0.0.1:1", "");
                assertThat(stranger.statusCode()).isEqualTo(409);
                assertThat(stranger.body()).contains("127.0.0.1:1 is not among");
            }
        }
    }

    @Test
    void aForgottenSeatComesBackInTheNextEraFromTheNodesOwnBlocks() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            NodeConfig config = config(servers.addresses());
            RedisSeats.found(config);
            long last;
            try (Node node = Node.start(config)) {
                RedisNodes.awaitHeightAbove(node, 5);
                assertThatThrownBy(() -> survey(config)).hasMessageContaining("is not lost");
            }
            servers.get(0).call("FLUSHALL");
            servers.get(1).kill();
            assertThatThrownBy(() -> survey(config)).hasMessageContaining("may remember");
            servers.get(1).start();
            servers.get(1).call("FLUSHALL");
            List<String> before = RedisNodes.contents(servers);
            assertThatThrownBy(() ->
                            RedisRecovery.survey(config, config.seats().getFirst(), List.of(folder.resolve("nothing"))))
                    .hasMessageContaining("no node's store has a block");

            RedisRecovery.Plan plan = survey(config);
            assertThat(RedisNodes.contents(servers)).isEqualTo(before);
            assertThat(RedisRecovery.carryOut(config, plan).seat().era().value())
                    .isEqualTo(2);

            last = plan.base().height().value();
            NodeConfig next = RedisNodes.config(
                    folder,
                    servers.addresses(),
                    yaml -> yaml.replace("name: blocks", "name: blocks, era: 2, era-base: " + last));
            try (Node node = Node.start(next)) {
                RedisNodes.awaitHeightAbove(node, last + 3);
                assertThat(RedisNodes.seat(node).path("era").asInt()).isEqualTo(2);
            }
            assertThatThrownBy(() -> Node.start(config).close()).hasMessageContaining("in era 2");
            assertThatThrownBy(() -> RedisRecovery.carryOut(config, plan)).hasMessageContaining("cannot be founded");
        }
    }

    private RedisRecovery.Plan survey(NodeConfig config) throws NodeFailure {
        return RedisRecovery.survey(config, config.seats().getFirst(), List.of(config.data()));
    }
}
