package dev.baton.node;

import static dev.baton.node.TokensNodeTest.address;
import static dev.baton.node.TokensNodeTest.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What callers send by mistake, or by malice, over gRPC and HTTP: it is refused clearly, and takes no token. */
@Timeout(180)
class TokenLimitsTest {

    @TempDir
    Path folder;

    private TestCluster cluster;
    private ManagedChannel channel;
    private ManagedChannel others;
    private TokenGeneratorGrpc.TokenGeneratorBlockingStub tokens;
    private TokenNamespacesGrpc.TokenNamespacesBlockingStub operator;

    @BeforeEach
    void start() throws Exception {
        cluster = TokensNodeTest.start(TestCluster.inMemory(folder, "n1"), "", "n1");
        channel = NettyChannelBuilder.forTarget(address(cluster, "n1"))
                .usePlaintext()
                .flowControlWindow(65_535)
                .build();
        others = NettyChannelBuilder.forTarget(address(cluster, "n1"))
                .usePlaintext()
                .build();
        tokens = TokenGeneratorGrpc.newBlockingStub(channel);
        operator = TokenNamespacesGrpc.newBlockingStub(channel);
        assertThat(next()).isEqualTo(1);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        others.shutdownNow();
        cluster.close();
    }

    private long next() {
        return TokenGeneratorGrpc.newBlockingStub(others)
                .nextToken(TokenRequest.newBuilder()
                        .setNamespace("voucher")
                        .setCount(1)
                        .build())
                .getStartToken();
    }

    private int post(String path, String body) {
        return cluster.post("n1", path, body).statusCode();
    }

    @Test
    void streamsThatCanNeverBeServedAreRefusedAndTakeNothing() {
        List<Consumer<StreamRequest.Builder>> wrong = List.of(
                stream -> stream.setChunk(0),
                stream -> stream.setChunk(-1),
                stream -> stream.setChunk(Long.MIN_VALUE),
                stream -> stream.setChunk(Long.MAX_VALUE),
                stream -> stream.setMessages(-1),
                stream -> stream.setMessages(Long.MIN_VALUE),
                stream -> stream.setNamespace("Voucher"),
                stream -> stream.setNamespace(""),
                stream -> stream.setClientId("reader"),
                stream -> stream.setFirstSequence(1),
                stream -> stream.setClientId("reader").setFirstSequence(-1),
                stream -> stream.setClientId("a b").setFirstSequence(1));
        for (Consumer<StreamRequest.Builder> change : wrong) {
            StreamRequest.Builder request = StreamRequest.newBuilder()
                    .setNamespace("voucher")
                    .setChunk(1)
                    .setMessages(2);
            change.accept(request);
            assertThat(status(() -> tokens.streamTokens(request.build()).next()))
                    .as(request.toString())
                    .isEqualTo("INVALID_ARGUMENT INVALID");
        }
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void aStreamEndsAtTheLargestSequenceNumberAndItsRetryGetsTheSame() {
        StreamRequest last = StreamRequest.newBuilder()
                .setNamespace("voucher")
                .setChunk(5)
                .setClientId("reader")
                .setFirstSequence(Long.MAX_VALUE)
                .build();
        for (int attempt = 1; attempt <= 2; attempt++) {
            Iterator<TokenResponse> stream = tokens.streamTokens(last);
            assertThat(stream.next().getStartToken()).isEqualTo(2);
            assertThat(status(stream::next)).isEqualTo("INVALID_ARGUMENT INVALID");
        }
        assertThat(next()).isEqualTo(7);
    }

    @Test
    void namespacesThatCanNeverBeAreRefusedAndNotMade() {
        List<Consumer<CreateRequest.Builder>> wrong = List.of(
                create -> create.setName(""),
                create -> create.setName("A"),
                create -> create.setStart(-1),
                create -> create.setStart(Long.MIN_VALUE),
                create -> create.setStep(-1),
                create -> create.setCeiling(-1),
                create -> create.setMaxCount(-1),
                create -> create.setShards(-1),
                create -> create.setShards(Integer.MAX_VALUE),
                create -> create.setStep(Long.MAX_VALUE).setShards(2),
                create -> create.setStart(10).setCeiling(9),
                create -> create.setGuaranteeValue(7));
        for (Consumer<CreateRequest.Builder> change : wrong) {
            CreateRequest.Builder request = CreateRequest.newBuilder().setName("new");
            change.accept(request);
            assertThat(status(() -> operator.create(request.build())))
                    .as(request.toString())
                    .isEqualTo("INVALID_ARGUMENT INVALID");
        }
        assertThat(status(() -> operator.freeze(FreezeRequest.newBuilder()
                        .setName("nowhere")
                        .setFrozen(true)
                        .build())))
                .isEqualTo("NOT_FOUND NO_NAMESPACE");
        assertThat(status(() -> operator.history(
                        HistoryRequest.newBuilder().setName("\u0000").build())))
                .isEqualTo("NOT_FOUND NO_NAMESPACE");
        assertThat(cluster.get("n1", "/tokens/namespaces").body())
                .contains("voucher")
                .doesNotContain("new");
        assertThat(next()).isEqualTo(2);
    }

    /** A newer client says more; what this version does not know changes nothing of what it does. */
    @Test
    void fieldsThatNobodyKnowsArePassedOver() {
        UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                .addField(
                        999,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(-1)
                                .addLengthDelimited(ByteString.copyFromUtf8("new"))
                                .build())
                .build();
        TokenRequest request = TokenRequest.newBuilder()
                .setNamespace("voucher")
                .setCount(2)
                .setClientId("shop")
                .setSequence(1)
                .setUnknownFields(unknown)
                .build();

        assertThat(tokens.nextToken(request).getStartToken()).isEqualTo(2);
        assertThat(tokens.nextToken(request).getDuplicate()).isTrue();
        assertThat(next()).isEqualTo(4);
    }

    @Test
    void bytesThatAreNoRequestAndTooManyOfThemAreRefused() {
        MethodDescriptor<byte[], byte[]> raw = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("token.v1.TokenGenerator/NextToken")
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
        for (byte[] wrong :
                List.of(new byte[] {-1, -1, -1}, "{\"namespace\":\"voucher\"}".getBytes(StandardCharsets.UTF_8))) {
            assertThat(Status.fromThrowable(catchThrowable(
                                    () -> ClientCalls.blockingUnaryCall(channel, raw, CallOptions.DEFAULT, wrong)))
                            .getCode())
                    .isIn(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.INVALID_ARGUMENT);
        }
        byte[] huge = TokenRequest.newBuilder()
                .setNamespace("voucher")
                .setCount(1)
                .setClientId("x".repeat(70_000))
                .setSequence(1)
                .build()
                .toByteArray();
        assertThat(Status.fromThrowable(catchThrowable(
                                () -> ClientCalls.blockingUnaryCall(channel, raw, CallOptions.DEFAULT, huge)))
                        .getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(tokens.nextToken(TokenRequest.newBuilder()
                                .setNamespace("voucher")
                                .setCount(1)
                                .build())
                        .getStartToken())
                .as("the connection still serves")
                .isEqualTo(2);
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** One who stops reading costs a few messages; everybody else goes on, and nothing of what was reserved is lost. */
    @Test
    void aSlowReaderHoldsUpNobodyAndLosesNothing() {
        int messages = 20_000;
        Iterator<TokenResponse> stream = tokens.streamTokens(StreamRequest.newBuilder()
                .setNamespace("voucher")
                .setChunk(10)
                .setMessages(messages)
                .setClientId("reader")
                .setFirstSequence(1)
                .build());
        List<TokenResponse> all = new ArrayList<>(List.of(stream.next()));
        List<Long> others = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            others.add(next());
        }
        long reserved =
                operator.list(ListRequest.getDefaultInstance()).getNamespaces(0).getReserved();
        assertThat(reserved).as("a window's worth, not all that was asked for").isLessThan(10L * messages / 2);

        stream.forEachRemaining(all::add);

        assertThat(all.stream().map(TokenResponse::getSequence).toList())
                .isEqualTo(LongStream.rangeClosed(1, messages).boxed().toList());
        List<Long> handed = Stream.concat(
                        all.stream()
                                .flatMap(range -> LongStream.range(range.getStartToken(), range.getEndToken())
                                        .boxed()),
                        others.stream())
                .sorted()
                .toList();
        assertThat(handed)
                .as("each once, and none left out")
                .isEqualTo(LongStream.rangeClosed(2, 1 + 10L * messages + others.size())
                        .boxed()
                        .toList());
    }

    /** A mistake in a parameter's name must not turn a request that is safe to repeat into one that is not. */
    @Test
    void overHttpWhatIsNotUnderstoodIsRefusedAndTakesNothing() {
        for (String query : List.of(
                "count=-1",
                "count=0",
                "count=9223372036854775807",
                "count=9223372036854775808",
                "count=-9223372036854775809",
                "count=1e3",
                "count=1.5",
                "count=0x10",
                "count=%205",
                "count=",
                "count",
                "count=1&count=1000",
                "Count=5",
                "client_id=shop&sequence=1",
                "clientId=shop&sequence=1",
                "client=shop",
                "client=shop&sequence=",
                "client=&sequence=1",
                "client=&sequence=",
                "client=shop&sequence=0",
                "client=shop&sequence=-1",
                "client=shop&sequence=one",
                "client=sh%20op&sequence=1",
                "client=%ff&sequence=1",
                "sequence=1",
                "sequence=0",
                "accept-step=yes",
                "accept_step=true",
                "namespace=click")) {
            assertThat(post("/tokens/next?namespace=voucher&" + query, ""))
                    .as(query)
                    .isEqualTo(400);
        }
        for (String query : List.of(
                "", "?", "?namespace=", "?namespace", "?namespace=Voucher", "?namespace=a%2F%2Fb", "?name=voucher")) {
            assertThat(post("/tokens/next" + query, "")).as(query).isEqualTo(400);
        }
        for (String query : List.of(
                "start=0",
                "start=-1",
                "step=0",
                "step=x",
                "ceiling=0",
                "max-count=0",
                "shards=0",
                "shards=4294967297",
                "guarantee=",
                "leased=true",
                "start=10&ceiling=9",
                "step=9223372036854775807&shards=2")) {
            assertThat(post("/tokens/namespaces?name=new&" + query, ""))
                    .as(query)
                    .isEqualTo(400);
        }
        assertThat(post("/tokens/freeze?namespace=voucher&frozen=1", "")).isEqualTo(400);
        assertThat(post("/tokens/freeze?namespace=voucher&frozen=true&name=x", ""))
                .isEqualTo(400);
        assertThat(cluster.get("n1", "/tokens/namespaces/new").statusCode()).isEqualTo(404);
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void overHttpBodiesAndOtherMethodsAreRefusedAndTakeNothing() {
        String asked = "/tokens/next?namespace=voucher";
        for (String body : List.of("{}", "{\"namespace\":\"voucher\",\"count\":10}", "x".repeat(100_000))) {
            var refused = cluster.post("n1", asked, body);
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(TestCluster.json(refused).path("error").textValue()).startsWith("a body");
        }
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE", "PATCH")) {
            assertThat(TestCluster.ask(method, cluster.node("n1").ownHttpAddress(), asked, "")
                            .statusCode())
                    .as(method)
                    .isEqualTo(405);
        }
        assertThat(next()).isEqualTo(2);
    }

    /** Half of all readers of JSON know no whole number beyond 2^53. */
    @Test
    void overHttpLargeNumbersAreTextAndExact() {
        long high = (1L << 53) + 1;
        assertThat(post("/tokens/namespaces?name=high&start=" + high, "")).isEqualTo(200);

        var two = TestCluster.json(
                cluster.post("n1", "/tokens/next?namespace=high&count=2&client=a&sequence=" + high, ""));

        assertThat(two.path("startToken").textValue()).isEqualTo("9007199254740993");
        assertThat(two.path("endToken").textValue()).isEqualTo("9007199254740995");
        assertThat(two.path("sequence").textValue()).isEqualTo("9007199254740993");
    }
}
