package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.node.Node;
import dev.baton.node.config.ConfigReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SidecarTest {

    @Test
    void actsWhileTheNodeBesideItLeadsAndOnlyThen(@TempDir Path folder) throws Exception {
        int http = freePort();
        Path config =
                Files.writeString(folder.resolve("node.yaml"), """
                        cluster: demo
                        node: n1
                        data: data
                        listen: { grpc: 127.0.0.1:%d, http: 127.0.0.1:%d, admin: 127.0.0.1:%d }
                        authority:
                          kind: raft
                          peers: { n1: 127.0.0.1:%d }
                        seats:
                          - { name: blocks, duty: sequencer }
                        """.formatted(freePort(), http, freePort(), freePort()));
        Sidecar sidecar = new Sidecar(URI.create("http://127.0.0.1:" + http));
        assertThat(sidecar.epochIfLeading()).isEmpty();

        try (Node node = Node.start(ConfigReader.read(config))) {
            assertThat(node).isNotNull();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> sidecar.epochIfLeading().isPresent());
        }
        assertThat(sidecar.epochIfLeading()).isEmpty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
