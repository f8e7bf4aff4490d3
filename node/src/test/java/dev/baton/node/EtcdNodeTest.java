package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.node.config.ConfigReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node on a real etcd. */
@Timeout(120)
class EtcdNodeTest {

    @TempDir
    Path folder;

    @Test
    void itShowsHowFullTheMembersAre() throws Exception {
        try (EtcdServers etcd = EtcdServers.start(1, Files.createDirectory(folder.resolve("etcd")));
                Node node = Node.start(
                        ConfigReader.read("n1", """
                        cluster: demo
                        node: n1
                        data: n1
                        listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
                        authority: {kind: etcd, endpoints: ["%s"]}
                        seats: [{name: blocks, duty: sequencer, pulse: {interval: 200ms}}]
                        """.formatted(etcd.get(0).address()), folder))) {
            String server = "{server=\"" + etcd.get(0).address() + "\"}";

            String scraped = await().atMost(Duration.ofSeconds(60))
                    .until(node::metrics, text -> text.contains("baton_engine_database_bytes" + server));

            assertThat(scraped).contains("baton_engine_full" + server + " 0.0");
        }
    }
}
