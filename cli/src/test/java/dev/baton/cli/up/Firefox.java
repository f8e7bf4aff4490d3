package dev.baton.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Firefox of the distribution, without a window, steered over WebDriver BiDi: Playwright only knows a Firefox that it
 * has built itself.
 */
final class Firefox implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern LISTENING = Pattern.compile("WebDriver BiDi listening on (ws://\\S+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final WebSocket line;
    private final String page;
    private int asked;

    private Firefox(Process process, String address) throws IOException, InterruptedException {
        this.process = process;
        this.line = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address + "/session"), new Listener())
                .join();
        ask("session.new", Map.of("capabilities", Map.of()));
        this.page = ask("browsingContext.getTree", Map.of())
                .path("contexts")
                .path(0)
                .path("context")
                .asText();
    }

    /** Starts one with an empty profile in this folder. */
    static Firefox start(Path folder) throws IOException, InterruptedException {
        Path profile = Files.createDirectories(folder.resolve("profile"));
        Path log = folder.resolve("firefox.log");
        ProcessBuilder builder = new ProcessBuilder(
                        "firefox-esr",
                        "--headless",
                        "--no-remote",
                        "--profile",
                        profile.toString(),
                        "--remote-debugging-port",
                        "0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && System.nanoTime() < giveUpNanos) {
            Matcher found = LISTENING.matcher(Files.readString(log));
            if (found.find()) {
                return new Firefox(process, found.group(1));
            }
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
        process.destroyForcibly();
        throw new IllegalStateException("firefox-esr does not listen: " + Files.readString(log)
                + " (expected: the Debian package firefox-esr; ./check installs it)");
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
                if (answer.path("type").asText().equals("error")) {
                    throw new IllegalStateException(method + ": " + said);
                }
                return answer.path("result");
            }
        }
    }

    void open(String url) throws IOException, InterruptedException {
        ask("browsingContext.navigate", Map.of("context", page, "url", url, "wait", "complete"));
    }

    /** Waits in the page until the expression is true; what it says of itself otherwise. */
    void await(String expression) throws IOException, InterruptedException {
        String waiting = "new Promise(done => { const look = () => (" + expression
                + ") ? done(true) : setTimeout(look, 20); look(); })";
        JsonNode result = ask(
                "script.evaluate",
                Map.of("expression", waiting, "target", Map.of("context", page), "awaitPromise", true));
        if (!result.path("type").asText().equals("success")) {
            throw new IllegalStateException(expression + ": " + result);
        }
    }

    void screenshot(Path file) throws IOException, InterruptedException {
        JsonNode shot = ask("browsingContext.captureScreenshot", Map.of("context", page, "origin", "document"));
        Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
    }

    @Override
    public void close() throws InterruptedException {
        line.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
