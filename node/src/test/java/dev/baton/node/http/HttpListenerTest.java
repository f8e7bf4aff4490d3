package dev.baton.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Bytes;
import dev.baton.node.config.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpListenerTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private @SuppressWarnings("NullAway.Init") HttpListener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = open(false);
    }

    private static HttpListener open(boolean refuseBrowsers) throws IOException {
        return HttpListener.open(
                new HostPort("127.0.0.1", 0),
                List.of(
                        Route.get("/here", request -> Answer.json(200, Map.of("n", request.number("n", 1, 9, 5)))),
                        Route.get("/rest/", request -> Answer.json(200, Map.of("rest", request.rest()))),
                        Route.get("/broken", request -> {
                            throw new IllegalStateException("on purpose");
                        }),
                        Route.post(
                                "/take",
                                8,
                                request -> Answer.json(
                                        200, Map.of("bytes", request.body().size())))),
                refuseBrowsers,
                Optional.empty());
    }

    @AfterEach
    void stop() {
        listener.close();
    }

    private HttpResponse<String> ask(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + listener.address() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void getAnswersJson() throws Exception {
        HttpResponse<String> answer = ask("GET", "/here?n=7", "");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"n\":7}\n");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
    }

    @Test
    void headSaysWhatGetWouldSendAndSendsNothing() throws Exception {
        String raw = raw("HEAD /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(raw)
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("content-length: 8\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void aSecondRequestOnTheSameConnectionIsAnsweredAfterHead() throws Exception {
        String raw =
                raw("HEAD /here HTTP/1.1\r\nHost: x\r\n\r\nGET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(raw).endsWith("{\"n\":5}\n");
    }

    private String raw(String request) throws IOException {
        return raw(List.of(request));
    }

    /** What comes back after all of it was sent, to the end. */
    private String raw(List<String> parts) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", listener.address().port())) {
            for (String part : parts) {
                socket.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(all);
            return all.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void optionsNamesWhatIsAllowed() throws Exception {
        HttpResponse<String> answer = ask("OPTIONS", "/here", "");

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
    }

    @Test
    void anotherMethodIsRefusedAndTheRightOnesNamed() throws Exception {
        HttpResponse<String> answer = ask("DELETE", "/here", "");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        assertThat(answer.body()).startsWith("{\"error\":\"DELETE /here");
    }

    @Test
    void anUnknownPathIsNotFound() throws Exception {
        HttpResponse<String> answer = ask("GET", "/nowhere", "");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("\"error\"", "/here");
    }

    @Test
    void aPathWithAnEndOfItsOwnIsTaken() throws Exception {
        assertThat(ask("GET", "/rest/42", "").body()).isEqualTo("{\"rest\":\"42\"}\n");
        assertThat(ask("GET", "/rest/", "").statusCode()).isEqualTo(404);
    }

    @Test
    void aBodyAtTheLimitIsTakenAndALargerOneRefused() throws Exception {
        assertThat(ask("POST", "/take", "12345678").body()).isEqualTo("{\"bytes\":8}\n");

        HttpResponse<String> answer = ask("POST", "/take", "123456789");

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("8 bytes");
    }

    /** Who sends everything before it looks at the answer gets the answer, and not a reset. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 40000000", "Transfer-Encoding: chunked"})
    void whoSendsABodyThatIsTooLargeCanReadTheAnswer(String length) throws IOException {
        String part = "x".repeat(100_000);
        List<String> request = new ArrayList<>();
        request.add("GET /here HTTP/1.1\r\nHost: x\r\n\r\nPOST /take HTTP/1.1\r\nHost: x\r\n" + length + "\r\n\r\n");
        request.addAll(Collections.nCopies(400, length.endsWith("chunked") ? "186a0\r\n" + part + "\r\n" : part));

        assertThat(raw(request)).containsSubsequence("HTTP/1.1 200", "{\"n\":5}", "HTTP/1.1 413", "8 bytes");
    }

    @Test
    void aBodyThatIsTooLargeForNoPathAtAllIsRefusedToo() throws IOException {
        assertThat(raw("POST /%zz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + "x".repeat(100)))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void whoSendsHeadersThatAreTooLargeCanReadTheAnswer() throws IOException {
        List<String> request = new ArrayList<>();
        request.add("GET /here HTTP/1.1\r\nHost: x\r\nX: ");
        request.addAll(Collections.nCopies(400, "y".repeat(100_000)));

        assertThat(raw(request)).startsWith("HTTP/1.1 400");
    }

    @Test
    void aWrongParameterIsToldWithItsNameAndRange() throws Exception {
        HttpResponse<String> answer = ask("GET", "/here?n=ten", "");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("n: ten (expected: a whole number from 1 to 9)");
    }

    @Test
    void aDefectIsAnsweredAndDoesNotStopTheServer() throws Exception {
        assertThat(ask("GET", "/broken", "").statusCode()).isEqualTo(500);
        assertThat(ask("GET", "/here", "").statusCode()).isEqualTo(200);
    }

    @Test
    void webPagesCannotReachTheOperatorsPort() throws Exception {
        listener.close();
        listener = open(true);

        assertThat(ask("POST", "/take", "1", "Origin", "http://evil.example").statusCode())
                .isEqualTo(403);
        assertThat(ask("POST", "/take", "1").statusCode()).isEqualTo(200);
    }

    @Test
    void aStreamEndsWhenItsWriterDoes() throws Exception {
        listener.close();
        listener = HttpListener.open(
                new HostPort("127.0.0.1", 0),
                List.of(Route.get(
                        "/stream",
                        request -> new Answer.Stream(
                                200,
                                "text/plain",
                                out -> out.write(Bytes.utf8("a\nb\n").toArray())))),
                false,
                Optional.empty());

        assertThat(ask("GET", "/stream", "").body()).isEqualTo("a\nb\n");
    }

    /** The JDK's own server kept each such connection for ever, and a leader that was looked at ran out of memory. */
    @Test
    void aClientThatLeavesInTheMiddleOfAStreamIsForgotten() throws Exception {
        listener.close();
        AtomicInteger streaming = new AtomicInteger();
        listener = HttpListener.open(
                new HostPort("127.0.0.1", 0),
                List.of(Route.get(
                        "/stream",
                        request -> new Answer.Stream(200, "text/plain", out -> {
                            streaming.incrementAndGet();
                            try {
                                while (true) {
                                    out.write(new byte[50_000]);
                                    out.flush();
                                }
                            } finally {
                                streaming.decrementAndGet();
                            }
                        }))),
                false,
                Optional.empty());
        for (String version : List.of("1.0", "1.1")) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Socket client = new Socket("127.0.0.1", listener.address().port());
                clients.add(client);
                client.getOutputStream()
                        .write(("GET /stream HTTP/" + version + "\r\nHost: x\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().read()).isEqualTo('H');
            }
            await().until(() -> streaming.get() == clients.size());
            for (Socket client : clients) {
                client.close();
            }
            await().until(() -> streaming.get() == 0 && listener.connections() == 0);
        }
    }

    @Test
    void whatIsNoHttpIsToldSoAndTheConnectionEnds() throws Exception {
        assertThat(raw("GET\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(raw("GET /here HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 4");
        assertThat(ask("GET", "/here", "").statusCode()).isEqualTo(200);
    }
}
