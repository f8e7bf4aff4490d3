package dev.baton.duty.tokens.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import dev.baton.core.Height;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TokenListenerTest {

    private static final TokenRequest ONE =
            TokenRequest.newBuilder().setNamespace("a").setCount(1).build();

    private final FakeTokens tokens = new FakeTokens();

    @Test
    void aGenericClientFindsThePublishedServiceByReflection() throws Exception {
        try (Served served = Served.open(tokens)) {
            assertThat(reflect(
                                    served,
                                    ServerReflectionRequest.newBuilder()
                                            .setListServices("")
                                            .build())
                            .getListServicesResponse()
                            .getServiceList())
                    .extracting(service -> service.getName())
                    .contains("token.v1.TokenGenerator", "baton.tokens.v1.TokenNamespaces", "grpc.health.v1.Health");
            assertThat(reflect(
                                    served,
                                    ServerReflectionRequest.newBuilder()
                                            .setFileContainingSymbol("token.v1.TokenGenerator")
                                            .build())
                            .getFileDescriptorResponse()
                            .getFileDescriptorProtoCount())
                    .isPositive();
        }
    }

    private static ServerReflectionResponse reflect(Served served, ServerReflectionRequest request) {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(served.channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(request);
        ServerReflectionResponse response =
                answer.orTimeout(20, TimeUnit.SECONDS).join();
        requests.onCompleted();
        return response;
    }

    @Test
    void healthTellsTheHolderFromANodeThatIsOnlyReady() throws Exception {
        try (Served served = Served.open(tokens)) {
            assertThat(health(served, "")).isEqualTo(ServingStatus.NOT_SERVING);

            served.listener().serving(true, false);
            assertThat(health(served, "")).isEqualTo(ServingStatus.SERVING);
            assertThat(health(served, "baton.tokens.v1.TokenNamespaces")).isEqualTo(ServingStatus.SERVING);
            assertThat(health(served, TokenGeneratorGrpc.SERVICE_NAME)).isEqualTo(ServingStatus.NOT_SERVING);

            served.listener().serving(true, true);
            assertThat(health(served, TokenGeneratorGrpc.SERVICE_NAME)).isEqualTo(ServingStatus.SERVING);
        }
    }

    private static ServingStatus health(Served served, String service) {
        return HealthGrpc.newBlockingStub(served.channel())
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void aConnectionHasAHundredCallsOpenAndTheNextWaitsForItsTurn() throws Exception {
        try (Served served = Served.open(tokens)) {
            served.tokens().nextToken(ONE); // by now the client has heard of the limit
            tokens.hold(true);
            List<ListenableFuture<TokenResponse>> calls = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                calls.add(served.futures().nextToken(ONE));
            }
            await().until(() -> tokens.held() == 100);
            for (int answered = 0; answered < 120; answered++) {
                if (tokens.held() == 0) {
                    await().until(() -> tokens.held() > 0);
                }
                FakeTokens.Held held = tokens.take(0);
                held.answer().accept(tokens.handed(held.ask()));
            }
            for (ListenableFuture<TokenResponse> call : calls) {
                call.get(20, TimeUnit.SECONDS);
            }
            assertThat(tokens.mostHeld()).isEqualTo(100);
        }
    }

    /** Speaks just enough HTTP/2 to answer pings, and then to leave them unanswered, as a machine does that is gone. */
    @Test
    @Timeout(120)
    void aConnectionWhoseOtherEndNoLongerAnswersPingsIsGivenUp() throws Exception {
        TokenListener.Settings impatient =
                new TokenListener.Settings(100, Duration.ofSeconds(10), Duration.ofSeconds(2)); // 10 s is the shortest
        try (Served served = Served.open(tokens, impatient);
                Socket socket = new Socket("127.0.0.1", served.listener().port())) {
            socket.setSoTimeout(60_000);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, 4, 0, new byte[0]); // SETTINGS
            frame(out, 6, 1, awaitPing(in)); // PING, acknowledged

            awaitPing(in);
            assertThat(closedWithoutAnotherPing(in))
                    .as("the connection after a ping without answer")
                    .isTrue();
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, byte[] payload) throws IOException {
        out.writeShort(payload.length >> 8);
        out.writeByte(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(0);
        out.write(payload);
        out.flush();
    }

    private static byte[] awaitPing(DataInputStream in) throws IOException {
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == 6 && flags == 0) {
                return payload;
            }
        }
    }

    private static boolean closedWithoutAnotherPing(DataInputStream in) {
        return catchThrowable(() -> awaitPing(in)) instanceof EOFException;
    }

    @Test
    void aPortThatIsTakenIsSaidSo() throws Exception {
        try (Served served = Served.open(tokens)) {
            assertThat(catchThrowable(() -> TokenListener.open(
                            new InetSocketAddress("127.0.0.1", served.listener().port()),
                            InsecureServerCredentials.create(),
                            TokenListener.Settings.DEFAULT,
                            tokens,
                            () -> Height.ZERO,
                            TokenMeter.NONE)))
                    .isInstanceOf(IOException.class);
        }
    }
}
