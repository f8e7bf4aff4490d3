package dev.baton.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.bench.tokens.Children;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A page in a Chromium without a window, and how much memory it keeps: asked over the browser's own debugging protocol. */
final class HeadlessPage implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final WebSocket line;
    private int asked;

    private HeadlessPage(WebSocket.Builder builder, String address) {
        this.line = builder.buildAsync(URI.create(address), new Listener()).join();
    }

    /** Opens a browser with this page in it. */
    static HeadlessPage open(Children children, String url) throws IOException, InterruptedException {
        Path folder = children.folder("chromium");
        Path log = folder.resolve("log");
        Process process = children.start(
                log,
                List.of(
                        "chromium",
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("profile"),
                        url),
                Map.of("HOME", folder.toString()));
        Path portFile = folder.resolve("profile").resolve("DevToolsActivePort");
        children.await(
                "chromium",
                process,
                log,
                () -> Files.exists(portFile) && Files.readAllLines(portFile).size() >= 2);
        String port = Files.readAllLines(portFile).getFirst();
        try (HttpClient asking = HttpClient.newHttpClient()) {
            HttpRequest pages = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                    .build();
            for (JsonNode page : JSON.readTree(
                    asking.send(pages, HttpResponse.BodyHandlers.ofString()).body())) {
                if (page.path("type").asText().equals("page")) {
                    return new HeadlessPage(
                            HttpClient.newHttpClient().newWebSocketBuilder(),
                            page.path("webSocketDebuggerUrl").asText());
                }
            }
        }
        throw new IllegalStateException("chromium shows no page (expected: " + url + ")");
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                heard.add(text.toString());
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, part, last);
        }
    }

    private JsonNode ask(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        int id = ++asked;
        line.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        while (true) {
            String said = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (said == null) {
                throw new IllegalStateException(method + ": no answer within " + PATIENCE);
            }
            JsonNode answer = JSON.readTree(said);
            if (answer.path("id").asInt() == id) {
                return answer.path("result");
            }
        }
    }

    /** What the page still holds after everything that it does not has been collected. */
    double heapMegabytes() throws IOException, InterruptedException {
        ask("HeapProfiler.collectGarbage", Map.of());
        return ask("Runtime.getHeapUsage", Map.of()).path("usedSize").asDouble() / 1e6;
    }

    double elements() throws IOException, InterruptedException {
        return ask("Runtime.evaluate", Map.of("expression", "document.querySelectorAll('*').length"))
                .path("result")
                .path("value")
                .asDouble();
    }

    @Override
    public void close() {
        line.abort();
    }
}
