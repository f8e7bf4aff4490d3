package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** A node of this process on real Redis servers, and what a test asks of both. */
final class RedisNodes {

    private RedisNodes() {}

    static NodeConfig config(Path folder, List<String> redis, UnaryOperator<String> change) {
        try {
            return ConfigReader.read("n1", change.apply(yaml(redis)), folder);
        } catch (ConfigException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    static String yaml(List<String> redis) {
        return """
                cluster: demo
                node: n1
                data: n1
                listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
                authority: {kind: redis, nodes: ["%s"], node-timeout: 400ms}
                seats: [{name: blocks, duty: sequencer, pulse: {interval: 100ms, timeout: 800ms}}]
                """.formatted(String.join("\", \"", redis));
    }

    /** Everything that the servers keep, key by key. */
    static List<String> contents(RedisServers servers) {
        List<String> contents = new ArrayList<>();
        for (RedisServer server : servers.all()) {
            List<String> keys = new ArrayList<>();
            if (server.call("KEYS", "*") instanceof List<?> found) {
                found.forEach(key -> keys.add(key + " " + server.call("DUMP", String.valueOf(key))));
            }
            Collections.sort(keys);
            contents.add(server.address() + " " + keys);
        }
        return contents;
    }

    static JsonNode seat(Node node) {
        return TestCluster.json(TestCluster.ask("GET", node.ownHttpAddress(), "/status", ""))
                .path("seats")
                .path(0);
    }

    static long height(Node node) {
        return seat(node).path("height").asLong();
    }

    static void awaitHeightAbove(Node node, long height) {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() ->
                        assertThat(height(node)).as(() -> seat(node).toString()).isGreaterThan(height));
    }
}
