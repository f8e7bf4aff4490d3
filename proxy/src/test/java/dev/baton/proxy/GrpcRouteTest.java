package dev.baton.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GrpcRouteTest {

    private static final MethodDescriptor<byte[], byte[]> NEXT_TOKEN = unary("token.v1.TokenGenerator/NextToken");
    private static final MethodDescriptor<byte[], byte[]> PAY = unary("shop.v1.Till/Pay");
    private static final MethodDescriptor<byte[], byte[]> COUNT = MethodDescriptor.newBuilder(
                    AsBytes.INSTANCE, AsBytes.INSTANCE)
            .setType(MethodType.SERVER_STREAMING)
            .setFullMethodName("shop.v1.Till/Count")
            .build();

    private final List<AutoCloseable> open = new ArrayList<>();

    private static MethodDescriptor<byte[], byte[]> unary(String name) {
        return MethodDescriptor.newBuilder(AsBytes.INSTANCE, AsBytes.INSTANCE)
                .setType(MethodType.UNARY)
                .setFullMethodName(name)
                .build();
    }

    private interface Work {
        void answer(String request, StreamObserver<byte[]> told);
    }

    private static final class Till implements AutoCloseable {
        private final Server server;
        private final List<String> requests = new CopyOnWriteArrayList<>();
        private final int port;

        Till(Work work) throws IOException {
            ServerCallHandler<byte[], byte[]> handler = ServerCalls.asyncUnaryCall((request, told) -> {
                requests.add(new String(request, StandardCharsets.UTF_8));
                work.answer(new String(request, StandardCharsets.UTF_8), told);
            });
            server = NettyServerBuilder.forAddress(TestProxy.free(), InsecureServerCredentials.create())
                    .addService(ServerServiceDefinition.builder("token.v1.TokenGenerator")
                            .addMethod(NEXT_TOKEN, handler)
                            .build())
                    .addService(ServerServiceDefinition.builder("shop.v1.Till")
                            .addMethod(PAY, handler)
                            .addMethod(COUNT, ServerCalls.asyncServerStreamingCall((request, told) -> {
                                for (int i = 0; i < request[0]; i++) {
                                    told.onNext(new byte[] {(byte) i});
                                }
                                told.onCompleted();
                            }))
                            .build())
                    .build()
                    .start();
            port = server.getPort();
        }

        int port() {
            return port;
        }

        @Override
        public void close() {
            server.shutdownNow();
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private static Work name(String name) {
        return (request, told) -> {
            told.onNext((name + ":" + request).getBytes(StandardCharsets.UTF_8));
            told.onCompleted();
        };
    }

    private ManagedChannel channel(Proxy proxy) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        proxy.grpcAddress().orElseThrow())
                .usePlaintext()
                .build();
        keep(channel::shutdownNow);
        return channel;
    }

    private static Future<byte[]> call(ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, String text) {
        return ClientCalls.futureUnaryCall(
                channel.newCall(method, CallOptions.DEFAULT), text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Future<byte[]> answer) throws Exception {
        return new String(answer.get(), StandardCharsets.UTF_8);
    }

    private static Status.Code failure(Future<byte[]> answer) {
        try {
            answer.get();
            return Status.Code.OK;
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            return Status.fromThrowable(e).getCode();
        }
    }

    @Test
    void callsAreHeldUntilSomebodyHoldsTheSeatAndFollowIt() throws Exception {
        StandIn n1 = keep(new StandIn("n1"));
        StandIn n2 = keep(new StandIn("n2"));
        Till first = keep(new Till(name("n1")));
        Till second = keep(new Till(name("n2")));
        Proxy proxy = keep(
                new TestProxy().grpc(n1, first.port()).grpc(n2, second.port()).start());
        ManagedChannel channel = channel(proxy);
        Future<byte[]> held = call(channel, PAY, "a");
        n1.holds(1);
        assertThat(text(held)).isEqualTo("n1:a");
        n2.holds(2);
        await().until(() -> proxy.holder().equals(java.util.Optional.of("n2")));
        assertThat(text(call(channel, PAY, "b"))).isEqualTo("n2:b"); // on the same connection
    }

    @Test
    void streamsPassWhole() throws Exception {
        StandIn n1 = keep(new StandIn("n1")).holds(1);
        Till till = keep(new Till(name("n1")));
        ManagedChannel channel =
                channel(keep(new TestProxy().grpc(n1, till.port()).start()));
        Iterator<byte[]> all =
                ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, new byte[] {100});
        List<Integer> numbers = new ArrayList<>();
        all.forEachRemaining(one -> numbers.add((int) one[0]));
        assertThat(numbers).hasSize(100).isSorted();
    }

    @Test
    void tokenCallsInFlightGoToTheNextHolderAndOthersFail() throws Exception {
        StandIn n1 = keep(new StandIn("n1")).holds(1);
        StandIn n2 = keep(new StandIn("n2"));
        Till dies = keep(new Till((request, told) -> {})); // never answers
        Till second = keep(new Till(name("n2")));
        Proxy proxy = keep(
                new TestProxy().grpc(n1, dies.port()).grpc(n2, second.port()).start());
        ManagedChannel channel = channel(proxy);
        Future<byte[]> token = call(channel, NEXT_TOKEN, "token");
        Future<byte[]> pay = call(channel, PAY, "pay");
        await().until(() -> dies.requests.size() == 2);
        dies.close();
        assertThat(failure(pay)).isEqualTo(Status.Code.UNAVAILABLE);
        n1.close();
        n2.holds(2);
        assertThat(text(token)).isEqualTo("n2:token");
        assertThat(second.requests).containsExactly("token");
    }

    @Test
    void aTokenCallThatMeetsANodeWithoutTheSeatFindsTheNextHolder() throws Exception {
        StandIn n1 = keep(new StandIn("n1")).holds(1);
        StandIn n2 = keep(new StandIn("n2"));
        Till elsewhere = keep(new Till((request, told) -> told.onError(
                Status.UNAVAILABLE.withDescription("not the holder").asRuntimeException())));
        Till second = keep(new Till(name("n2")));
        Proxy proxy = keep(new TestProxy()
                .grpc(n1, elsewhere.port())
                .grpc(n2, second.port())
                .start());
        Future<byte[]> token = call(channel(proxy), NEXT_TOKEN, "t");
        await().until(() -> !elsewhere.requests.isEmpty());
        n2.holds(2);
        assertThat(text(token)).isEqualTo("n2:t");
    }

    @Test
    void aCallThatNeverLeftIsSentAgainWhateverItAsks() throws Exception {
        StandIn n1 = keep(new StandIn("n1"));
        StandIn n2 = keep(new StandIn("n2"));
        Till dead = new Till(name("n1"));
        dead.close();
        dead.server.awaitTermination();
        Till second = keep(new Till(name("n2")));
        Proxy proxy = keep(
                new TestProxy().grpc(n1, dead.port()).grpc(n2, second.port()).start());
        n1.holds(1);
        await().until(() -> proxy.holder().isPresent());
        Future<byte[]> pay = call(channel(proxy), PAY, "pay");
        n2.holds(2);
        assertThat(text(pay)).isEqualTo("n2:pay");
    }

    @Test
    void theAdminControlApiIsNeverPassedOn() throws Exception {
        StandIn n1 = keep(new StandIn("n1")).holds(1);
        Till till = keep(new Till(name("n1")));
        ManagedChannel channel =
                channel(keep(new TestProxy().grpc(n1, till.port()).start()));
        for (String method : List.of("StartSequencer", "StopSequencer", "PrepareHandoff", "Status")) {
            assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                            channel,
                            unary("evnode.admin.v1.ControlService/" + method),
                            CallOptions.DEFAULT,
                            new byte[0]))
                    .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
                        assertThat(e.getStatus().getDescription()).contains("not passed on");
                    });
        }
        assertThat(till.requests).isEmpty();
    }

    @Test
    void theAnswerSaysWhoServed() throws Exception {
        StandIn n1 = keep(new StandIn("n1")).holds(1);
        Till till = keep(new Till(name("n1")));
        ManagedChannel channel =
                channel(keep(new TestProxy().grpc(n1, till.port()).start()));
        CompletableFuture<Metadata> headers = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call = channel.newCall(PAY, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onHeaders(Metadata told) {
                        headers.complete(told);
                    }
                },
                new Metadata());
        call.sendMessage(new byte[0]);
        call.halfClose();
        call.request(1);
        assertThat(headers.get().get(Metadata.Key.of("x-baton-served-by", Metadata.ASCII_STRING_MARSHALLER)))
                .isEqualTo("n1");
    }
}
