package dev.baton.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.bench.load.LoadLines;
import dev.baton.bench.load.LoadReport;
import dev.baton.bench.load.LoadRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerMainTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder = Path.of("");

    private int port;
    private @Nullable Process redis;

    @BeforeEach
    void startRedis() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        redis = new ProcessBuilder(
                        "redis-server",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        folder.toString(),
                        "--save",
                        "")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        await().atMost(PATIENCE).until(this::accepts);
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void stopRedis() throws InterruptedException {
        Objects.requireNonNull(redis).destroyForcibly().waitFor();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-incr", "redisson-id-generator", "redisson-id-generator-one-at-a-time"})
    void processOfCallersReportsWhatItWasAnsweredAndEndsWithItsInput(String peer) throws Exception {
        Process process = start("redis=127.0.0.1:" + port);
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo(LoadLines.READY);
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(LoadLines.write(LoadRequest.closed(peer, 8, 100, 300)))
                    .append('\n')
                    .flush();
            LoadReport report = LoadLines.report(out.readLine());
            process.outputWriter(StandardCharsets.UTF_8).close();

            assertThat(report.arm()).isEqualTo(peer);
            assertThat(report.answered()).isPositive();
            assertThat(report.opsPerSecond()).isPositive();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void peerThatNobodyKnowsIsRefused() throws Exception {
        Process process = start("redis=127.0.0.1:" + port);
        process.outputWriter(StandardCharsets.UTF_8)
                .append(LoadLines.write(LoadRequest.closed("abacus", 1, 0, 1)))
                .append('\n')
                .flush();

        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
    }

    private Process start(String server) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), PeerMain.class.getName(), server));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder.redirectError(folder.resolve("callers.log").toFile()).start();
    }
}
