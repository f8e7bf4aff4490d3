package dev.baton.node;

import static org.awaitility.Awaitility.await;

import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.core.NodeId;
import dev.baton.node.config.ConfigReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes on a real NATS server. */
@Timeout(120)
class NatsNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Node start(String name, List<String> servers) throws Exception {
        return Node.start(ConfigReader.read(name, """
                        cluster: demo
                        node: %s
                        data: %s
                        listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
                        authority: {kind: nats, servers: ["%s"]}
                        seats: [{name: blocks, duty: sequencer, pulse: {interval: 200ms}}]
                        """.formatted(name, name, String.join("\", \"", servers)), folder));
    }

    private static boolean sees(Node node, String other) {
        return node.peers()
                .find(new NodeId(other))
                .filter(node.peers()::isPresent)
                .isPresent();
    }

    /** Only the holder is known to everybody; the other two meet on the engine's noticeboard. */
    @Test
    void followersThatNobodyHasToldOfEachOtherMeet() throws Exception {
        try (NatsServers nats = NatsServers.start(1, Files.createDirectory(folder.resolve("nats")));
                Node first = start("n1", nats.addresses())) {
            await().atMost(PATIENCE)
                    .until(() -> first.seats().getFirst().status().leads());
            try (Node second = start("n2", nats.addresses());
                    Node third = start("n3", nats.addresses())) {
                await().atMost(PATIENCE).until(() -> sees(second, "n3") && sees(third, "n2"));
                await().atMost(PATIENCE).until(() -> sees(first, "n2") && sees(first, "n3"));
            }
        }
    }
}
