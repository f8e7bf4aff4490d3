package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.authority.tck.Certificates;
import dev.baton.node.config.NodeConfig;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens from whole nodes, over gRPC and HTTP. */
@Timeout(180)
class TokensNodeTest {

    private static final Metadata.Key<String> HOLDER =
            Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> REASON =
            Metadata.Key.of("baton-reason", Metadata.ASCII_STRING_MARSHALLER);

    @TempDir
    Path folder;

    private final Map<String, ManagedChannel> channels = new HashMap<>();

    @AfterEach
    void hangUp() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }

    /** The same node with a seat of tokens instead of one of blocks. */
    static String tokens(String yaml, String settings) {
        return yaml.substring(0, yaml.indexOf("seats:\n"))
                + "seats:\n  - name: ids\n    duty: tokens\n"
                + "    pulse: {interval: 100ms, timeout: 500ms}\n    takeover: {delay: 1500ms}\n"
                + "    tokens: {listen: \"127.0.0.1:0\"" + settings + "}\n"
                + yaml.substring(yaml.indexOf("peers:\n", yaml.indexOf("seats:\n")));
    }

    static TestCluster start(TestCluster cluster, String settings, String... names) throws Exception {
        for (String name : names) {
            cluster.start(name, yaml -> tokens(yaml, settings));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> cluster.leader() != null);
        return cluster;
    }

    private TestCluster alone(String settings) throws Exception {
        return start(TestCluster.inMemory(folder, "n1"), settings, "n1");
    }

    static String address(TestCluster cluster, String node) {
        ServedSeat seat = cluster.node(node).seats().getFirst();
        return ((ServedTokens) seat.duty()).address();
    }

    private ManagedChannel channel(String address) {
        return channels.computeIfAbsent(
                address, at -> NettyChannelBuilder.forTarget(at).usePlaintext().build());
    }

    private TokenGeneratorGrpc.TokenGeneratorBlockingStub generator(TestCluster cluster, String node) {
        return TokenGeneratorGrpc.newBlockingStub(channel(address(cluster, node)))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private TokenNamespacesGrpc.TokenNamespacesBlockingStub namespaces(TestCluster cluster, String node) {
        return TokenNamespacesGrpc.newBlockingStub(channel(address(cluster, node)))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private static TokenRequest.Builder ask(String namespace, long count) {
        return TokenRequest.newBuilder().setNamespace(namespace).setCount(count);
    }

    static String status(Runnable call) {
        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
        assertThat(failure).as("the call is refused").isNotNull();
        return failure.getStatus().getCode() + " " + trailer(failure, REASON);
    }

    private static String trailer(StatusRuntimeException failure, Metadata.Key<String> key) {
        return String.valueOf(Objects.requireNonNull(failure.getTrailers()).get(key));
    }

    @Test
    void whatCanNeverBeServedIsRefusedWithItsReasonAndReservesNothing() throws Exception {
        try (TestCluster cluster = alone(", max-count: 1000")) {
            var tokens = generator(cluster, "n1");
            Function<TokenRequest.Builder, String> refused = ask -> status(() -> tokens.nextToken(ask.build()));
            assertThat(tokens.nextToken(ask("voucher", 10).build()).getEndToken())
                    .isEqualTo(11);

            assertThat(refused.apply(ask("voucher", 0))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", -1))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", Long.MIN_VALUE))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", 1001))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", Long.MAX_VALUE))).isEqualTo("INVALID_ARGUMENT INVALID");
            for (String name : List.of(
                    "", "Voucher", "a//b", "/a", "a/", "a/b/c/d/e", ".a", "a b", "ü", "a".repeat(64), "a\u0000")) {
                assertThat(refused.apply(ask(name, 1))).as(name).isEqualTo("INVALID_ARGUMENT INVALID");
            }
            assertThat(refused.apply(ask("voucher", 1).setClientId("shop"))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", 1).setSequence(1))).isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", 1).setClientId("shop").setSequence(-1)))
                    .isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(refused.apply(ask("voucher", 1).setClientId("a b").setSequence(1)))
                    .isEqualTo("INVALID_ARGUMENT INVALID");
            assertThat(tokens.nextToken(ask("voucher", 1).build()).getStartToken())
                    .as("nothing was reserved by what was refused")
                    .isEqualTo(11);
        }
    }

    @Test
    void requestIdsNamespacesAndCeilingsAreKeptOverTheWire() throws Exception {
        try (TestCluster cluster = alone(", window: 3, create-on-first-use: false")) {
            var tokens = generator(cluster, "n1");
            var operator = namespaces(cluster, "n1");
            Function<TokenRequest.Builder, String> refused = ask -> status(() -> tokens.nextToken(ask.build()));
            assertThat(refused.apply(ask("voucher", 1))).isEqualTo("NOT_FOUND NO_NAMESPACE");

            operator.create(CreateRequest.newBuilder().setName("voucher").build());
            assertThat(status(() -> operator.create(CreateRequest.newBuilder()
                            .setName("voucher")
                            .setStep(7)
                            .build())))
                    .isEqualTo("ALREADY_EXISTS EXISTS");
            TokenRequest.Builder first = ask("voucher", 5).setClientId("shop").setSequence(1);
            TokenResponse answer = tokens.nextToken(first.build());
            assertThat(answer.getDuplicate()).isFalse();
            assertThat(tokens.nextToken(first.build()))
                    .isEqualTo(answer.toBuilder().setDuplicate(true).build());
            assertThat(refused.apply(first.clone().setCount(6))).isEqualTo("INVALID_ARGUMENT FOREIGN_ID");
            for (int sequence = 2; sequence <= 4; sequence++) {
                tokens.nextToken(ask("voucher", 1)
                        .setClientId("shop")
                        .setSequence(sequence)
                        .build());
            }
            assertThat(refused.apply(first)).isEqualTo("FAILED_PRECONDITION FORGOTTEN");

            operator.create(CreateRequest.newBuilder()
                    .setName("few")
                    .setCeiling(3)
                    .setStep(2)
                    .build());
            assertThat(refused.apply(ask("few", 2))).isEqualTo("FAILED_PRECONDITION STEPPED");
            assertThat(refused.apply(ask("few", 3).setAcceptStep(true))).isEqualTo("OUT_OF_RANGE EXHAUSTED");
            assertThat(tokens.nextToken(ask("few", 2).setAcceptStep(true).build())
                            .getEndToken())
                    .isEqualTo(4);
            assertThat(refused.apply(ask("few", 1))).isEqualTo("OUT_OF_RANGE EXHAUSTED");

            operator.create(CreateRequest.newBuilder()
                    .setName("wide")
                    .setStart(Long.MAX_VALUE - 1)
                    .build());
            assertThat(refused.apply(ask("wide", 1_000_000))).isEqualTo("OUT_OF_RANGE EXHAUSTED");

            operator.create(
                    CreateRequest.newBuilder().setName("split").setShards(2).build());
            assertThat(refused.apply(ask("split", 1))).isEqualTo("FAILED_PRECONDITION SHARDED");
            assertThat(tokens.nextToken(ask("split/1", 1).build()).getStartToken())
                    .isEqualTo(2);

            operator.freeze(FreezeRequest.newBuilder()
                    .setName("voucher")
                    .setFrozen(true)
                    .build());
            assertThat(refused.apply(ask("voucher", 1))).isEqualTo("FAILED_PRECONDITION FROZEN");
        }
    }

    @Test
    void overHttpTheSameIsSaidInItsOwnWords() throws Exception {
        try (TestCluster cluster = alone(", create-on-first-use: false")) {
            assertThat(post(cluster, "/tokens/next?namespace=voucher").statusCode())
                    .isEqualTo(404);
            HttpResponse<String> made =
                    post(cluster, "/tokens/namespaces?name=voucher&guarantee=strict&ceiling=9007199254740993");
            assertThat(made.statusCode()).isEqualTo(200);
            assertThat(TestCluster.json(made)
                            .path("namespaces")
                            .path(0)
                            .path("ceiling")
                            .textValue())
                    .as("a number that many readers of JSON would round")
                    .isEqualTo("9007199254740993");

            JsonNode ten =
                    TestCluster.json(post(cluster, "/tokens/next?namespace=voucher&count=10&client=c&sequence=1"));
            assertThat(ten.path("startToken").textValue()).isEqualTo("1");
            assertThat(ten.path("endToken").textValue()).isEqualTo("11");
            assertThat(ten.path("sequence").textValue()).isEqualTo("1");
            assertThat(ten.path("duplicate").booleanValue()).isFalse();
            assertThat(TestCluster.json(post(cluster, "/tokens/next?namespace=voucher&count=10&client=c&sequence=1"))
                            .path("duplicate")
                            .booleanValue())
                    .isTrue();
            assertThat(TestCluster.json(post(cluster, "/tokens/next?namespace=voucher"))
                            .path("startToken")
                            .textValue())
                    .as("one token, if nothing is said")
                    .isEqualTo("11");

            assertThat(post(cluster, "/tokens/next").statusCode()).isEqualTo(400);
            assertThat(post(cluster, "/tokens/next?namespace=voucher&count=ten").statusCode())
                    .isEqualTo(400);
            HttpResponse<String> zero = post(cluster, "/tokens/next?namespace=voucher&count=0");
            assertThat(zero.statusCode()).isEqualTo(400);
            assertThat(TestCluster.json(zero).path("reason").textValue()).isEqualTo("INVALID");
            assertThat(post(cluster, "/tokens/next?namespace=voucher&count=9&client=c&sequence=1")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(post(cluster, "/tokens/namespaces?name=voucher&step=3").statusCode())
                    .isEqualTo(409);
            assertThat(post(cluster, "/tokens/namespaces?name=x&guarantee=loose")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(cluster.get("n1", "/tokens/next?namespace=voucher").statusCode())
                    .as("a GET must never burn a token")
                    .isEqualTo(405);
            assertThat(post(cluster, "/tokens/history?namespace=voucher").statusCode())
                    .isEqualTo(405);

            assertThat(post(cluster, "/tokens/freeze?namespace=voucher&frozen=true")
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> frozen = post(cluster, "/tokens/next?namespace=voucher");
            assertThat(frozen.statusCode()).isEqualTo(409);
            assertThat(TestCluster.json(frozen).path("reason").textValue()).isEqualTo("FROZEN");
            assertThat(post(cluster, "/tokens/freeze?namespace=voucher").statusCode())
                    .isEqualTo(400);

            assertThat(TestCluster.json(cluster.get("n1", "/tokens/namespaces"))
                            .path("namespaces")
                            .findValuesAsText("name"))
                    .containsExactly("voucher");
            JsonNode voucher = TestCluster.json(cluster.get("n1", "/tokens/namespaces/voucher"));
            assertThat(voucher.path("next").textValue()).isEqualTo("12");
            assertThat(voucher.path("frozen").booleanValue()).isTrue();
            assertThat(cluster.get("n1", "/tokens/namespaces/other").statusCode())
                    .isEqualTo(404);
            JsonNode history = TestCluster.json(cluster.get("n1", "/tokens/history?namespace=voucher"));
            assertThat(history.path("stretches").path(0).path("endToken").textValue())
                    .isEqualTo("12");
            assertThat(cluster.get("n1", "/tokens/history?namespace=other").statusCode())
                    .isEqualTo(404);
            assertThat(cluster.get("n1", "/blocks").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> post(TestCluster cluster, String path) {
        return cluster.post("n1", path, "");
    }

    @Test
    void aNodeThatDoesNotHoldTheSeatSendsToTheHolderAndAnswersQuestions() throws Exception {
        try (TestCluster cluster = start(TestCluster.inMemory(folder, "n1", "n2"), "", "n1", "n2")) {
            String holder = Objects.requireNonNull(cluster.leader());
            String other = holder.equals("n1") ? "n2" : "n1";
            generator(cluster, holder).nextToken(ask("voucher", 1).build());

            await().untilAsserted(() -> {
                StatusRuntimeException refused = catchThrowableOfType(
                        StatusRuntimeException.class,
                        () -> generator(cluster, other)
                                .nextToken(ask("voucher", 1).build()));
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(trailer(refused, HOLDER)).isEqualTo(address(cluster, holder));
            });
            await().untilAsserted(() -> {
                HttpResponse<String> refused = cluster.post(other, "/tokens/next?namespace=voucher", "");
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Baton-Holder"))
                        .contains(cluster.node(holder).ownHttpAddress());
                assertThat(TestCluster.json(refused).path("holder").textValue())
                        .isEqualTo(cluster.node(holder).ownHttpAddress());
                assertThat(TestCluster.json(refused).path("tokens").textValue()).isEqualTo(address(cluster, holder));
            });
            await().untilAsserted(() -> assertThat(TestCluster.json(cluster.get(other, "/tokens/namespaces/voucher"))
                            .path("next")
                            .textValue())
                    .isEqualTo("2"));
            await().untilAsserted(() -> {
                assertThat(health(cluster, holder, "token.v1.TokenGenerator")).isEqualTo(ServingStatus.SERVING);
                assertThat(health(cluster, other, "token.v1.TokenGenerator")).isEqualTo(ServingStatus.NOT_SERVING);
                assertThat(health(cluster, other, "")).isEqualTo(ServingStatus.SERVING);
            });
        }
    }

    private ServingStatus health(TestCluster cluster, String node, String service) {
        return HealthGrpc.newBlockingStub(channel(address(cluster, node)))
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void aStreamIsResumedAtTheNextHolderWithoutAGapOrARepeat() throws Exception {
        try (TestCluster cluster = start(TestCluster.inMemory(folder, "n1", "n2"), "", "n1", "n2")) {
            List<TokenResponse> all = new ArrayList<>();
            for (int term = 0; term < 3; term++) {
                String holder = Objects.requireNonNull(await().until(cluster::leader, Objects::nonNull));
                String other = holder.equals("n1") ? "n2" : "n1";
                Iterator<TokenResponse> stream = generator(cluster, holder)
                        .streamTokens(StreamRequest.newBuilder()
                                .setNamespace("voucher")
                                .setChunk(10)
                                .setClientId("reader")
                                .setFirstSequence(all.size() + 1)
                                .build());
                int enough = all.size() + 50;
                while (all.size() < enough) {
                    all.add(stream.next());
                }
                Thread handoff = Thread.ofVirtual()
                        .start(() -> assertThat(cluster.admin(holder, "/handoff?to=" + other)
                                        .statusCode())
                                .isEqualTo(200));
                Throwable end = catchThrowable(() -> stream.forEachRemaining(all::add));
                assertThat(Status.fromThrowable(end).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                handoff.join();
                await().until(() -> other.equals(cluster.leader()));
            }

            assertThat(all.stream().map(TokenResponse::getSequence).toList())
                    .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
            assertThat(all.stream().map(TokenResponse::getStartToken).toList())
                    .isEqualTo(LongStream.range(0, all.size())
                            .map(n -> 1 + 10 * n)
                            .boxed()
                            .toList());
            assertThat(all.stream().map(TokenResponse::getRevision).toList()).isSorted();
            assertThat(all.stream().map(TokenResponse::getEpoch).distinct().count())
                    .isEqualTo(3);
        }
    }

    @Test
    void onRaftLeasedAndStrictTokensAreHandedOutByWholeNodes() throws Exception {
        try (TestCluster cluster = start(TestCluster.onRaft(folder, "n1", "n2", "n3"), "", "n1", "n2", "n3")) {
            String holder = Objects.requireNonNull(await().until(cluster::leader, Objects::nonNull));
            namespaces(cluster, holder)
                    .create(CreateRequest.newBuilder()
                            .setName("fast")
                            .setGuarantee(Guarantee.LEASED)
                            .build());

            for (int i = 0; i < 20; i++) {
                assertThat(generator(cluster, holder)
                                .nextToken(ask("fast", 1).build())
                                .getStartToken())
                        .isEqualTo(i + 1);
                assertThat(generator(cluster, holder)
                                .nextToken(ask("sure", 1).build())
                                .getStartToken())
                        .isEqualTo(i + 1);
            }
        }
    }

    @Test
    void aPortThatIsTakenEndsTheStartWithItsKey() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            NodeFailure failure = catchThrowableOfType(
                    NodeFailure.class,
                    () -> cluster.start(
                            "n1",
                            yaml -> tokens(yaml, "")
                                    .replace(
                                            "listen: \"127.0.0.1:0\"}",
                                            "listen: \"127.0.0.1:" + taken.getLocalPort() + "\"}")));

            assertThat(failure.code()).isEqualTo(ExitCode.PORT_IN_USE);
            assertThat(failure.getMessage()).startsWith("seats: ids: tokens.listen: 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void whatIsHandedOutIsMeasured() throws Exception {
        try (TestCluster cluster = alone("")) {
            var tokens = generator(cluster, "n1");
            namespaces(cluster, "n1")
                    .create(CreateRequest.newBuilder()
                            .setName("fast")
                            .setGuarantee(Guarantee.LEASED)
                            .build());
            tokens.nextToken(ask("voucher", 30).setClientId("c").setSequence(1).build());
            tokens.nextToken(ask("voucher", 30).setClientId("c").setSequence(1).build());
            tokens.nextToken(ask("fast", 5).build());
            assertThat(status(() -> tokens.nextToken(ask("voucher", 0).build())))
                    .startsWith("INVALID");

            Map<String, Double> samples = scrape(cluster);
            assertThat(samples)
                    .containsEntry("baton_tokens_handed_total{namespace=\"voucher\",seat=\"ids\"}", 30.0)
                    .containsEntry("baton_tokens_handed_total{namespace=\"fast\",seat=\"ids\"}", 5.0)
                    .containsEntry("baton_tokens_handed_total{namespace=\"other\",seat=\"ids\"}", 0.0)
                    .containsEntry("baton_tokens_duplicates_total{seat=\"ids\"}", 1.0)
                    .containsEntry("baton_tokens_refusals_total{reason=\"invalid\",seat=\"ids\"}", 1.0)
                    .containsEntry("baton_tokens_refusals_total{reason=\"overloaded\",seat=\"ids\"}", 0.0)
                    .containsEntry("baton_tokens_request_seconds_count{guarantee=\"strict\",seat=\"ids\"}", 2.0)
                    .containsEntry("baton_tokens_request_seconds_count{guarantee=\"leased\",seat=\"ids\"}", 1.0)
                    .containsEntry("baton_tokens_waiting{seat=\"ids\"}", 0.0)
                    .containsEntry("baton_tokens_streams{seat=\"ids\"}", 0.0)
                    .containsEntry("baton_tokens_unavailable_total{seat=\"ids\"}", 0.0)
                    .containsKeys(
                            "baton_tokens_checkpoint_bytes{seat=\"ids\"}",
                            "baton_tokens_entries_since_checkpoint{seat=\"ids\"}",
                            "baton_tokens_request_seconds_bucket{guarantee=\"strict\",seat=\"ids\",le=\"0.003\"}");
            assertThat(samples.get("baton_tokens_commits_total{seat=\"ids\"}")).isPositive();
            assertThat(samples.get("baton_tokens_requests_total{seat=\"ids\"}")).isPositive();
        }
    }

    /** Else an alert about slow or unavailable tokens would not see those who ask over HTTP. */
    @Test
    void callsOverHttpAreMeasuredLikeThoseOverGrpc() throws Exception {
        try (TestCluster cluster = start(TestCluster.inMemory(folder, "n1", "n2"), "", "n1", "n2")) {
            String holder = Objects.requireNonNull(cluster.leader());
            String other = holder.equals("n1") ? "n2" : "n1";
            namespaces(cluster, holder)
                    .create(CreateRequest.newBuilder()
                            .setName("fast")
                            .setGuarantee(Guarantee.LEASED)
                            .build());

            for (String asked : List.of("voucher", "voucher&count=5", "fast")) {
                assertThat(cluster.post(holder, "/tokens/next?namespace=" + asked, "")
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(cluster.post(holder, "/tokens/next?namespace=voucher&count=0", "")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(cluster.post(other, "/tokens/next?namespace=voucher", "").statusCode())
                    .isEqualTo(503);

            assertThat(scrape(cluster, holder))
                    .containsEntry("baton_tokens_request_seconds_count{guarantee=\"strict\",seat=\"ids\"}", 2.0)
                    .containsEntry("baton_tokens_request_seconds_count{guarantee=\"leased\",seat=\"ids\"}", 1.0)
                    .containsEntry("baton_tokens_refusals_total{reason=\"invalid\",seat=\"ids\"}", 1.0)
                    .containsEntry("baton_tokens_unavailable_total{seat=\"ids\"}", 0.0);
            assertThat(scrape(cluster, other))
                    .containsEntry("baton_tokens_request_seconds_count{guarantee=\"strict\",seat=\"ids\"}", 0.0)
                    .containsEntry("baton_tokens_unavailable_total{seat=\"ids\"}", 1.0);
        }
    }

    /** A rule about a figure that does not exist never fires, and nobody would notice. */
    @Test
    void everyFigureThatAnAlertWatchesExists() throws Exception {
        String rules = Files.readString(Path.of("..", "docs", "alerts", "tokens.rules.yml"));
        Set<String> watched = Pattern.compile("\\b(baton|leader)_\\w+")
                .matcher(rules)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        try (TestCluster cluster = alone("")) {
            generator(cluster, "n1").nextToken(ask("voucher", 1).build());

            Set<String> samples = scrape(cluster).keySet();
            assertThat(watched).allSatisfy(figure -> assertThat(samples).anyMatch(sample -> sample.startsWith(figure)));
        }
        assertThat(watched).hasSizeGreaterThan(8);
    }

    /** With the node's certificates nobody without one gets a token. */
    @Test
    void withTlsOnlyThoseWhoShowACertificateAreServed() throws Exception {
        Certificates files = new Certificates(folder.resolve("certificates"));
        NodeConfig.Tls tls = new NodeConfig.Tls(files.certificate(), files.key(), files.authority());
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1")) {
            cluster.start(
                    "n1",
                    yaml -> tokens(yaml, "") + "tls: {certificate: " + tls.certificate() + ", key: " + tls.key()
                            + ", trust: " + tls.trust() + "}\n");
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.leader() != null);
            ManagedChannel known = NettyChannelBuilder.forTarget(
                            address(cluster, "n1"),
                            TlsChannelCredentials.newBuilder()
                                    .keyManager(
                                            tls.certificate().toFile(),
                                            tls.key().toFile())
                                    .trustManager(tls.trust().toFile())
                                    .build())
                    .build();
            ManagedChannel stranger = NettyChannelBuilder.forTarget(
                            address(cluster, "n1"),
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(tls.trust().toFile())
                                    .build())
                    .build();
            channels.put("known", known);
            channels.put("stranger", stranger);
            TokenRequest one = ask("voucher", 1).build();

            assertThat(TokenGeneratorGrpc.newBlockingStub(known).nextToken(one).getStartToken())
                    .isEqualTo(1);
            for (ManagedChannel refused : List.of(stranger, channel(address(cluster, "n1")))) {
                assertThat(Status.fromThrowable(catchThrowable(() -> TokenGeneratorGrpc.newBlockingStub(refused)
                                        .nextToken(one)))
                                .getCode())
                        .isEqualTo(Status.Code.UNAVAILABLE);
            }
            assertThat(TokenGeneratorGrpc.newBlockingStub(known).nextToken(one).getStartToken())
                    .isEqualTo(2);
        }
    }

    private static Map<String, Double> scrape(TestCluster cluster) {
        return scrape(cluster, "n1");
    }

    private static Map<String, Double> scrape(TestCluster cluster, String node) {
        Map<String, Double> samples = new HashMap<>();
        cluster.get(node, "/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int space = line.lastIndexOf(' ');
                    samples.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
                });
        return samples;
    }

    /** Callers make namespaces as they like; a scrape must not grow with them. */
    @Test
    void aThousandNamespacesHaveAHundredLines() throws Exception {
        try (TestCluster cluster = alone("")) {
            var tokens = TokenGeneratorGrpc.newFutureStub(channel(address(cluster, "n1")));
            var calls = LongStream.range(0, 1000)
                    .mapToObj(n -> tokens.nextToken(ask("ns-" + n, 2).build()))
                    .toList();
            for (var call : calls) {
                call.get(60, TimeUnit.SECONDS);
            }

            Map<String, Double> handed = new HashMap<>(scrape(cluster));
            handed.keySet().removeIf(name -> !name.startsWith("baton_tokens_handed_total"));
            assertThat(handed).hasSize(101);
            assertThat(handed.values().stream().mapToDouble(count -> count).sum())
                    .isEqualTo(2000);
            assertThat(handed).containsEntry("baton_tokens_handed_total{namespace=\"other\",seat=\"ids\"}", 1800.0);
        }
    }
}
