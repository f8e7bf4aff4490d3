package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node as a process of its own: exit codes, signals, logs. */
@Timeout(90)
class NodeProcessTest {

    @TempDir
    Path folder;

    private Process run(String yaml) throws IOException {
        return run(yaml, List.of());
    }

    /** Runs a node, perhaps by way of another program. */
    private Process run(String yaml, List<String> by) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), yaml);
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                NodeMain.class.getName(),
                file.toString()));
        return new ProcessBuilder(command)
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

    private static String httpOf(String yaml) {
        Matcher http = Pattern.compile("http: \"([^\"]+)\"").matcher(yaml);
        assertThat(http.find()).isTrue();
        return http.group(1);
    }

    private void awaitLeading() {
        await().atMost(Duration.ofSeconds(40)).until(() -> read("out").contains("leads with epoch"));
    }

    private void stop(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private void expectEnd(Process process, ExitCode code, String... words) throws Exception {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(read("err")).isEqualTo(code.number());
        assertThat(read("err").strip().lines()).hasSize(1).first().asString().contains(words);
    }

    @Test
    void aNewerFormatEndsItWithOneMessage() throws Exception {
        DataFolder.open(folder.resolve("n1"), new ClusterId("demo"), new NodeId("n1"))
                .close();
        Path identity = folder.resolve("n1").resolve("identity");
        Files.writeString(identity, Files.readString(identity).replaceFirst("(?m)^(.*format.*?)\\d+", "$199"));

        expectEnd(run(yaml()), ExitCode.DATA_FOLDER, "99");
    }

    @Test
    void anOccupiedPortEndsItWithOneMessage() throws Exception {
        String yaml = yaml();
        String http = httpOf(yaml);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(http.substring(http.indexOf(':') + 1))));
            expectEnd(run(yaml), ExitCode.PORT_IN_USE, "listen.http: " + http);
        }
    }

    @Test
    void aDamagedBlockFileEndsItWithOneMessageAndNothingIsOverwritten() throws Exception {
        String yaml = yaml();
        Process first = run(yaml);
        awaitLeading();
        for (int i = 0; i < 3; i++) {
            assertThat(TestCluster.ask("POST", httpOf(yaml), "/submit", "transaction " + i)
                            .statusCode())
                    .isEqualTo(200);
        }
        stop(first);
        Path segment;
        try (Stream<Path> files = Files.walk(folder.resolve("n1").resolve("blocks"))) {
            segment = files.filter(file -> contains(file, "transaction 0"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("transaction 0");
        bytes[at] ^= 1;
        Files.write(segment, bytes);

        expectEnd(run(yaml), ExitCode.DATA_FOLDER, segment.getFileName().toString());
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.isRegularFile(file)
                    && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A limit on the size of files stands for the full disk: the write fails in the same place, without privileges. */
    @Test
    void aFullDiskEndsItWithOneMessageAndNothingAcknowledgedIsLost() throws Exception {
        String yaml = yaml();
        Process limited = run(yaml, List.of("bash", "-c", "ulimit -f 600; exec \"$@\"", "node"));
        awaitLeading();
        Map<String, Long> acknowledged = new LinkedHashMap<>();
        for (int i = 0; i < 20 && limited.isAlive(); i++) {
            String transaction = i + "-" + "x".repeat(100_000);
            try {
                HttpResponse<String> answer = TestCluster.ask("POST", httpOf(yaml), "/submit", transaction);
                if (answer.statusCode() == 200) {
                    acknowledged.put(
                            transaction, TestCluster.json(answer).path("height").asLong());
                }
            } catch (UncheckedIOException e) {
                break; // it is gone
            }
        }
        expectEnd(limited, ExitCode.ENGINE, "authority: ");
        assertThat(acknowledged).isNotEmpty().hasSizeLessThan(20);

        Files.delete(folder.resolve("out"));
        Process roomy = run(yaml);
        try {
            awaitLeading();
            acknowledged.forEach((transaction, height) -> {
                HttpResponse<String> again = TestCluster.ask("POST", httpOf(yaml), "/submit", transaction);
                assertThat(TestCluster.json(again).path("duplicate").asBoolean())
                        .isTrue();
                assertThat(TestCluster.json(again).path("height").asLong()).isEqualTo(height);
            });
        } finally {
            stop(roomy);
        }
    }
}
