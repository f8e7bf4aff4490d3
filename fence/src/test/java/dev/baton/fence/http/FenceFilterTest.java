package dev.baton.fence.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.fence.Fence;
import dev.baton.fence.FenceStore;
import dev.baton.fence.file.FileFenceStore;
import dev.baton.fence.testing.HolderProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that keeps lines, behind the filter. INV-1, INV-2. */
class FenceFilterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CountDownLatch slowBegan = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        serve(FenceStore.inMemory(), PATIENCE);
    }

    private void serve(FenceStore store, Duration patience) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/lines", this::handle).getFilters().add(new FenceFilter(new FenceGate(store, patience)));
        server.start();
    }

    @AfterEach
    void stop() {
        slowMayEnd.countDown();
        server.stop(0);
        threads.close();
        client.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String line = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (line.startsWith("slow")) {
            slowBegan.countDown();
            try {
                slowMayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (!line.isEmpty()) {
            lines.add(line);
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private URI service() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/lines");
    }

    private CompletableFuture<HttpResponse<String>> posting(@Nullable String fence, String line) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service()).POST(HttpRequest.BodyPublishers.ofString(line));
        if (fence != null) {
            request.header(FenceHeader.NAME, fence);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(@Nullable String fence, String line) throws Exception {
        return posting(fence, line).get(60, TimeUnit.SECONDS);
    }

    @Test
    void lowerEpochsAreRefusedAndWriteNothing() throws Exception {
        assertThat(post("demo/jobs/1/5", "a").statusCode()).isEqualTo(204);
        assertThat(post("demo/jobs/1/6", "b").statusCode()).isEqualTo(204);

        HttpResponse<String> stale = post("demo/jobs/1/5", "late");
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(stale.body())
                .startsWith("{\"code\":\"STALE\",\"error\":\"fence: demo/jobs/1/5 (expected: demo/jobs/1/6 or higher")
                .contains("\"stored\":\"demo/jobs/1/6\"");
        HttpResponse<String> other = post("demo/other/9/9", "other");
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(other.body()).contains("OTHER_SEAT");
        assertThat(lines).containsExactly("a", "b");
    }

    @Test
    void aWriteWithoutAProperFenceIsRefusedAndAReadNeedsNone() throws Exception {
        assertThat(post(null, "a").statusCode()).isEqualTo(428);
        HttpResponse<String> wrong = post("demo/\"jobs\\", "a");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("demo/\\\"jobs\\\\");
        assertThat(lines).isEmpty();
        assertThat(client.send(HttpRequest.newBuilder(service()).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void whoWaitsTooLongIsToldToComeAgain() throws Exception {
        server.stop(0);
        serve(FenceStore.inMemory(), Duration.ofMillis(50));
        CompletableFuture<HttpResponse<String>> slow = posting("demo/jobs/1/1", "slow");
        assertThat(slowBegan.await(60, TimeUnit.SECONDS)).isTrue();

        HttpResponse<String> later = post("demo/jobs/1/2", "later");
        assertThat(later.statusCode()).isEqualTo(503);
        assertThat(later.body()).contains("BUSY");
        slowMayEnd.countDown();
        slow.get(60, TimeUnit.SECONDS);
        assertThat(post("demo/jobs/1/2", "later").statusCode()).isEqualTo(204);
    }

    @Test
    void aHolderThatWasPausedAndReplacedIsRefusedWhenItWakesEvenByARestartedService(@TempDir Path dir)
            throws Exception {
        server.stop(0);
        try (FileFenceStore store = FileFenceStore.open(dir.resolve("fence"))) {
            serve(store, PATIENCE);
            try (HolderProcess old =
                    HolderProcess.start(HttpHolder.class, service().toString(), "demo/jobs/1/1")) {
                assertThat(old.ask("old-1")).startsWith("204");
                old.pause();
                old.order("old-2");
                assertThat(post("demo/jobs/1/2", "new-1").statusCode()).isEqualTo(204);
                old.wake();

                assertThat(old.answer()).startsWith("412 ").contains("\"stored\":\"demo/jobs/1/2\"");
            }
        }
        server.stop(0);
        try (FileFenceStore store = FileFenceStore.open(dir.resolve("fence"))) {
            serve(store, PATIENCE);
            assertThat(post(Fence.of("demo", "jobs", 1, 1).toString(), "old-3").statusCode())
                    .isEqualTo(412);
        }
        assertThat(lines).containsExactly("old-1", "new-1");
    }
}
