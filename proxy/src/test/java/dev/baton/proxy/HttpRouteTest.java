package dev.baton.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpRouteTest {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<AutoCloseable> open = new ArrayList<>();
    private StandIn n1;
    private StandIn n2;

    HttpRouteTest() throws IOException {
        n1 = new StandIn("n1");
        n2 = new StandIn("n2");
    }

    @BeforeEach
    void keep() {
        open.add(n1);
        open.add(n2);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private Proxy proxy(TestProxy setup) throws IOException {
        Proxy proxy = setup.start();
        open.add(proxy);
        return proxy;
    }

    private Proxy proxy() throws IOException {
        return proxy(new TestProxy().http(n1, n2));
    }

    private static HttpRequest.Builder to(Proxy proxy, String path) {
        return HttpRequest.newBuilder(uri(proxy.httpAddress().orElseThrow(), path));
    }

    private static URI uri(InetSocketAddress at, String path) {
        return URI.create("http://127.0.0.1:" + at.getPort() + path);
    }

    private static HttpRequest post(Proxy proxy, String path) {
        return to(proxy, path).POST(HttpRequest.BodyPublishers.ofString("body")).build();
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String servedBy(HttpResponse<?> response) {
        return response.headers().firstValue("X-Baton-Served-By").orElse("");
    }

    private HttpResponse<String> health(Proxy proxy, String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(proxy.healthAddress().orElseThrow(), path))
                .build());
    }

    private void awaitWaiting(Proxy proxy, int count) {
        await().untilAsserted(() -> assertThat(health(proxy, "/status").body()).contains("\"waiting\":" + count));
    }

    private static void awaitHolder(Proxy proxy, String node) {
        await().until(() -> proxy.holder().equals(java.util.Optional.of(node)));
    }

    @Test
    void requestsGoToTheHolderAndFollowIt() throws Exception {
        n1.holds(1);
        Proxy proxy = proxy();
        HttpResponse<String> first = send(to(proxy, "/x?y=1").build());
        assertThat(first.body()).isEqualTo("n1");
        assertThat(servedBy(first)).isEqualTo("n1");
        assertThat(n1.requests()).containsExactly("GET /x?y=1");

        n2.holds(2);
        awaitHolder(proxy, "n2");
        assertThat(send(to(proxy, "/").build()).body()).isEqualTo("n2");
    }

    @Test
    void aRequestIsHeldWhileNobodyHoldsTheSeatAndThenServed() throws Exception {
        Proxy proxy = proxy();
        CompletableFuture<HttpResponse<String>> held = sendAsync(post(proxy, "/order"));
        awaitWaiting(proxy, 1);
        n2.holds(1);
        HttpResponse<String> response = held.get();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(servedBy(response)).isEqualTo("n2");
        assertThat(response.headers().firstValueAsLong("X-Baton-Held-Millis").orElse(0))
                .isPositive();
    }

    @Test
    void aNodeThatSaysItDoesNotHoldTheSeatIsNotTheEndOfARequest() throws Exception {
        n1.answers(exchange -> {
            exchange.getResponseHeaders().set("Baton-Outcome", "not-done");
            StandIn.send(exchange, 503, "elsewhere");
        });
        n1.holds(1);
        Proxy proxy = proxy();
        CompletableFuture<HttpResponse<String>> asked = sendAsync(post(proxy, "/order"));
        await().until(() -> !n1.requests().isEmpty());
        n2.holds(2);
        assertThat(asked.get().body()).isEqualTo("n2");
    }

    @Test
    void a503OfTheApplicationIsPassedOn() throws Exception {
        n1.answers(exchange -> StandIn.send(exchange, 503, "mine"));
        n1.holds(1);
        HttpResponse<String> response = send(to(proxy(), "/").build());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("mine");
    }

    /** Answers nothing until the test ends. */
    private StandIn hang(StandIn node) {
        CountDownLatch never = new CountDownLatch(1);
        return node.answers(exchange -> never.await());
    }

    @Test
    void idempotentRequestsInFlightGoToTheNextHolderWhenTheirsDies() throws Exception {
        hang(n1).holds(1);
        Proxy proxy = proxy();
        List<CompletableFuture<HttpResponse<String>>> asked = List.of(
                sendAsync(to(proxy, "/get").build()),
                sendAsync(to(proxy, "/put")
                        .PUT(HttpRequest.BodyPublishers.ofString("x"))
                        .build()),
                sendAsync(post(proxy, "/submit")),
                sendAsync(to(proxy, "/keyed")
                        .header("Idempotency-Key", "k1")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build()));
        await().until(() -> n1.requests().size() == 4);
        n1.close();
        n2.holds(2);
        for (CompletableFuture<HttpResponse<String>> one : asked) {
            assertThat(one.get().body()).isEqualTo("n2");
        }
        assertThat(n2.requests()).containsExactlyInAnyOrder("GET /get", "PUT /put", "POST /submit", "POST /keyed");
    }

    @Test
    void otherRequestsInFlightFailAndAreNotSentTwice() throws Exception {
        hang(n1).holds(1);
        Proxy proxy = proxy();
        CompletableFuture<HttpResponse<String>> asked = sendAsync(post(proxy, "/pay"));
        await().until(() -> n1.requests().size() == 1);
        n1.close();
        n2.holds(2);
        HttpResponse<String> response = asked.get();
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(response.body()).contains("unknown whether", "Idempotency-Key");
        assertThat(n2.requests()).isEmpty();
    }

    @Test
    void aFrozenHolderIsNotWaitedForOnceAnotherHoldsTheSeat() throws Exception {
        hang(n1).holds(1);
        Proxy proxy = proxy();
        CompletableFuture<HttpResponse<String>> asked =
                sendAsync(to(proxy, "/get").build());
        await().until(() -> n1.requests().size() == 1);
        n2.holds(2); // n1 still claims epoch 1
        assertThat(asked.get().body()).isEqualTo("n2");
        n2.resigns();
        await().until(() -> proxy.holder().isEmpty());
        CompletableFuture<HttpResponse<String>> later =
                sendAsync(to(proxy, "/later").build());
        awaitWaiting(proxy, 1); // and not sent to n1, whose claim is out of date
        n2.holds(3);
        assertThat(later.get().body()).isEqualTo("n2");
    }

    @Test
    void whoComesToAFullRoomIsToldToComeAgain() throws Exception {
        Proxy proxy = proxy(new TestProxy().http(n1).holding(2, Duration.ofSeconds(30)));
        var first = sendAsync(to(proxy, "/1").build());
        var second = sendAsync(to(proxy, "/2").build());
        awaitWaiting(proxy, 2);
        HttpResponse<String> third = send(to(proxy, "/3").build());
        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.headers().firstValue("Retry-After")).isPresent();
        assertThat(third.body()).contains("too many requests wait");
        n1.holds(1);
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
    }

    @Test
    void nobodyIsHeldForEver() throws Exception {
        Proxy proxy = proxy(new TestProxy().http(n1).holding(2, Duration.ofMillis(100)));
        HttpResponse<String> response = send(to(proxy, "/").build());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("nobody holds the seat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/evnode.admin.v1.ControlService/StartSequencer",
                "/x/../evnode.admin.v1.ControlService/StopSequencer",
                "/EvNode.Admin.v1.ControlService/Status",
                "/%65vnode.admin.v1.ControlService/Status",
                "/%2565vnode%252eadmin.v1.ControlService/Status",
                "/evnode.admin.v2.Anything/Else"
            })
    void theAdminControlApiIsNeverPassedOn(String path) throws Exception {
        n1.holds(1);
        Proxy proxy = proxy();
        HttpResponse<String> response = send(post(proxy, path));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("Admin Control API is not passed on");
        assertThat(send(to(proxy, "/other").build()).statusCode()).isEqualTo(200);
        assertThat(n1.requests()).containsExactly("GET /other");
    }

    @Test
    void readsGoToFollowersIfConfiguredAndSayIt() throws Exception {
        n1.holds(1);
        Proxy proxy = proxy(new TestProxy().http(n1, n2).readPaths("/blocks"));
        await().until(() -> health(proxy, "/status").body().contains("\"followers\":[\"n2\"]"));
        HttpResponse<String> read = send(to(proxy, "/blocks/7").build());
        assertThat(read.body()).isEqualTo("n2");
        assertThat(read.headers().firstValue("X-Baton-Role")).contains("follower");
        HttpResponse<String> other = send(to(proxy, "/blocksmith").build());
        assertThat(other.body()).isEqualTo("n1");
        assertThat(other.headers().firstValue("X-Baton-Role")).contains("holder");
        assertThat(send(post(proxy, "/blocks/7")).body()).isEqualTo("n1");
    }

    @Test
    void aReadThatItsFollowerDoesNotAnswerGoesElsewhere() throws Exception {
        n1.holds(1);
        Proxy proxy = proxy(new TestProxy().http(n1, n2).readPaths("/blocks"));
        await().until(() -> health(proxy, "/status").body().contains("\"followers\":[\"n2\"]"));
        n2.answers(exchange -> exchange.close());
        assertThat(send(to(proxy, "/blocks/7").build()).body()).isEqualTo("n1");
    }

    @Test
    void answersThatComeBitByBitArriveBitByBit() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        n1.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("first\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            exchange.getResponseBody().write("second\n".getBytes(StandardCharsets.UTF_8));
        });
        n1.holds(1);
        HttpResponse<java.io.InputStream> response =
                client.send(to(proxy(), "/tail").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (var lines =
                new java.io.BufferedReader(new java.io.InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("first");
            goOn.countDown();
            assertThat(lines.readLine()).isEqualTo("second");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        n1.answers(
                exchange -> StandIn.send(exchange, 200, exchange.getRequestURI().getPath()));
        n1.holds(1);
        Proxy proxy = proxy();
        try (Socket socket =
                new Socket("127.0.0.1", proxy.httpAddress().orElseThrow().getPort())) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= 3; i++) {
                text.append("GET /r").append(i).append(" HTTP/1.1\r\nHost: x\r\n");
                text.append(i == 3 ? "Connection: close\r\n\r\n" : "\r\n");
            }
            socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(all.replaceAll("(?s).*?(/r\\d)", "$1")).isEqualTo("/r1/r2/r3");
        }
    }

    /** A part of a request that is read is not yet a request: the rest has to be asked for. */
    @Test
    void requestsThatComeByteByByteAreAnswered() throws Exception {
        n1.answers(exchange -> StandIn.send(
                exchange, 200, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII)));
        n1.holds(1);
        Proxy proxy = proxy();
        try (Socket socket =
                new Socket("127.0.0.1", proxy.httpAddress().orElseThrow().getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(20_000);
            for (int i = 1; i <= 20; i++) {
                String end = i == 20 ? "Connection: close\r\n\r\n" : "\r\n";
                String body = "body%02d".formatted(i);
                String text = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n" + end + body;
                for (byte one : text.getBytes(StandardCharsets.US_ASCII)) {
                    socket.getOutputStream().write(one);
                }
            }
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(all.split("body", -1)).hasSize(21);
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        n1.holds(1);
        HttpResponse<String> response = send(to(proxy(), "/")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(1 << 16) + 1]))
                .build());
        assertThat(response.statusCode()).isEqualTo(413);
    }

    /** Who sends everything before it looks at the answer gets the answer, and not a reset. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 40000000", "Transfer-Encoding: chunked"})
    void whoSendsABodyThatIsTooLargeCanReadTheAnswer(String length) throws Exception {
        n1.answers(
                exchange -> StandIn.send(exchange, 200, exchange.getRequestURI().getPath()));
        n1.holds(1);
        Proxy proxy = proxy();
        try (Socket socket =
                new Socket("127.0.0.1", proxy.httpAddress().orElseThrow().getPort())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("GET /before HTTP/1.1\r\nHost: x\r\n\r\nPOST /large HTTP/1.1\r\nHost: x\r\n" + length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[100_000];
            for (int i = 0; i < 400; i++) {
                if (length.endsWith("chunked")) {
                    out.write("186a0\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.write(part);
                    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                } else {
                    out.write(part);
                }
            }
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(all).containsSubsequence("HTTP/1.1 200", "/before", "HTTP/1.1 413", "65536 bytes");
        }
        assertThat(n1.requests()).containsExactly("GET /before");
    }

    @Test
    void drainingFinishesWhatIsUnderWayAndTakesNothingNew() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        n1.answers(exchange -> {
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            StandIn.send(exchange, 200, "done");
        });
        n1.holds(1);
        Proxy proxy = proxy();
        var asked = sendAsync(post(proxy, "/slow"));
        await().until(() -> n1.requests().size() == 1);
        assertThat(health(proxy, "/ready").statusCode()).isEqualTo(200);
        Thread drains = Thread.startVirtualThread(() -> {
            try {
                proxy.drain();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().untilAsserted(
                        () -> assertThat(health(proxy, "/ready").statusCode()).isEqualTo(503));
        assertThat(drains.isAlive()).isTrue();
        goOn.countDown();
        assertThat(asked.get().body()).isEqualTo("done");
        drains.join();
    }

    @Test
    void healthSaysWhoHoldsTheSeatAndMetricsCount() throws Exception {
        Proxy proxy = proxy();
        assertThat(health(proxy, "/live").statusCode()).isEqualTo(200);
        assertThat(health(proxy, "/holder").statusCode()).isEqualTo(503);
        n1.holds(7);
        awaitHolder(proxy, "n1");
        assertThat(health(proxy, "/holder").statusCode()).isEqualTo(200);
        assertThat(health(proxy, "/status").body()).contains("\"holder\":\"n1\"", "\"epoch\":7");
        assertThat(send(to(proxy, "/").build()).statusCode()).isEqualTo(200);
        assertThat(health(proxy, "/metrics").body())
                .contains(
                        "baton_proxy_requests_total{outcome=\"passed\",route=\"http\"} 1.0",
                        "baton_proxy_holder_known 1.0",
                        "baton_proxy_epoch 7.0");
        assertThat(health(proxy, "/nowhere").statusCode()).isEqualTo(404);
    }
}
