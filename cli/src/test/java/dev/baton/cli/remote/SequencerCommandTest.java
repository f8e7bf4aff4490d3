package dev.baton.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Cli;
import dev.baton.cli.Json;
import dev.baton.cli.Main;
import dev.baton.control.seal.ClusterKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequencerCommandTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void itMakesBlocksTellsInJsonAndEndsWellWhenToldTo() throws Exception {
        Path key = folder.resolve("cluster.key");
        ClusterKey.createIfAbsent(key);
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "sequencer",
                        "--json",
                        "--active",
                        "--listen",
                        "127.0.0.1:0",
                        "--block-interval",
                        "20ms",
                        "--data",
                        folder.resolve("data").toString(),
                        "--key",
                        key.toString())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            await().atMost(PATIENCE).until(() -> {
                assertThat(process.isAlive())
                        .as(Files.readString(folder.resolve("err")))
                        .isTrue();
                return Files.readString(out).contains("\"grpc\"");
            });
            process.destroy();
            assertThat(process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
            List<JsonNode> lines = new ArrayList<>();
            Files.readString(out)
                    .lines()
                    .forEach(line -> lines.add(Json.parse(line).orElseThrow()));
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line.path("formattedMessage").asText())
                            .contains("no more blocks after ")
                            .contains("this process ends"));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatWouldBeUnsafeIsRefused() {
        String data = folder.resolve("data").toString();
        assertThat(Cli.run("sequencer", "--data", data).err()).contains("--key: missing");
        assertThat(Cli.run("sequencer", "--data", data, "--listen", "0.0.0.0:7500", "--key", "k")
                        .err())
                .contains("--listen: 0.0.0.0:7500");
        assertThat(Cli.run("sequencer", "--data", data, "--op-stack", "0.0.0.0:9545")
                        .err())
                .contains("--op-stack: 0.0.0.0:9545");
        assertThat(Cli.run("sequencer", "--data", data, "--key", "k", "--trust", "t")
                        .err())
                .contains("all three, or none");
        assertThat(Cli.run("sequencer", "--data", data, "--key", "k", "--follow", "nowhere")
                        .code())
                .isEqualTo(2);
    }
}
