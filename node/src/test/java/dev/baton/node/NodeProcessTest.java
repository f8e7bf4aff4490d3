package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node as a process of its own: exit codes, signals, logs. */
@Timeout(90)
class NodeProcessTest {

    @TempDir
    Path folder;

    private Process run(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), yaml);
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeMain.class.getName(),
                        file.toString()))
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    private String yaml() throws IOException {
        List<Integer> ports = TestCluster.freePorts(4);
        return """
                cluster: demo
                node: n1
                data: n1
                listen: {grpc: "127.0.0.1:%d", http: "127.0.0.1:%d", admin: "127.0.0.1:%d"}
                authority: {kind: raft, peers: {n1: "127.0.0.1:%d"}}
                seats: [{name: blocks, duty: sequencer}]
                log: {format: json}
                """.formatted(ports.toArray());
    }

    @Test
    void aSignalStopsItInOrderAndItsLogIsJson() throws Exception {
        Process process = run(yaml());
        try {
            await().atMost(Duration.ofSeconds(40)).until(() -> read("out").contains("leads with epoch"));

            process.destroy(); // SIGTERM

            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitCode.OK.number());
        } finally {
            process.destroyForcibly().waitFor();
        }
        List<String> messages = new ArrayList<>();
        for (String line : read("out").lines().toList()) {
            JsonNode event = new ObjectMapper().readTree(line);
            assertThat(event.path("level").asText()).isNotEmpty();
            messages.add(event.path("formattedMessage").asText());
        }
        assertThat(messages)
                .anySatisfy(message -> assertThat(message).startsWith("blocks: leads with epoch"))
                .anySatisfy(message -> assertThat(message).startsWith("blocks: paused: shutting down (was LEADER)"))
                .anySatisfy(message -> assertThat(message).startsWith("closed seats in "))
                .anySatisfy(message -> assertThat(message).contains(" stopped in "));
        assertThat(read("err")).isEmpty();
    }

    @Test
    void aWrongConfigurationEndsItWithEveryFault() throws Exception {
        Process process = run(yaml().replace("cluster: demo", "cluster: DEMO").replace("log:", "lgo:"));

        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.CONFIGURATION.number());
        assertThat(read("err")).contains("2 faults", "cluster: DEMO", "lgo: unknown key (expected: did you mean log?)");
    }

    @Test
    void anotherClustersFolderEndsItWithOneMessage() throws Exception {
        DataFolder.open(folder.resolve("n1"), new ClusterId("prod"), new NodeId("n1"))
                .close();

        Process process = run(yaml());

        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.DATA_FOLDER.number());
        assertThat(read("err").strip().lines()).hasSize(1).first().asString().contains("belongs to cluster \"prod\"");
    }
}
