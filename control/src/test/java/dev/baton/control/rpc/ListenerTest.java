package dev.baton.control.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers, tools and nonsense get from the listener. */
class ListenerTest {

    private static final int REQUESTS = 100_000;
    private static final int AT_A_TIME = 200;

    @TempDir
    Path folder;

    private Optional<ControlledCluster> opened = Optional.empty();

    private ControlledCluster cluster(Limits limits) throws IOException {
        ControlledCluster cluster =
                new ControlledCluster(folder).start("n1", Optional.empty(), Optional.empty(), limits);
        opened = Optional.of(cluster);
        cluster.awaitLeader("n1");
        return cluster;
    }

    @AfterEach
    void close() {
        opened.ifPresent(ControlledCluster::close);
    }

    @Test
    void reflectionNamesTheServicesAndDescribesThePublishedOne() throws Exception {
        ManagedChannel channel = cluster(ControlledCluster.GENEROUS).channel("n1");

        assertThat(reflect(
                                channel,
                                ServerReflectionRequest.newBuilder()
                                        .setListServices("")
                                        .build())
                        .getListServicesResponse()
                        .getServiceList())
                .extracting(service -> service.getName())
                .contains("evnode.admin.v1.ControlService", "baton.control.v1.AuditService", "grpc.health.v1.Health");
        assertThat(reflect(
                                channel,
                                ServerReflectionRequest.newBuilder()
                                        .setFileContainingSymbol("evnode.admin.v1.ControlService.PrepareHandoff")
                                        .build())
                        .getFileDescriptorResponse()
                        .getFileDescriptorProtoList())
                .anyMatch(file -> file.toStringUtf8().contains("handoff_ticket"));
    }

    private static ServerReflectionResponse reflect(ManagedChannel channel, ServerReflectionRequest request)
            throws Exception {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
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
        requests.onCompleted();
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void theHealthServiceAnswers() throws IOException {
        assertThat(HealthGrpc.newBlockingStub(
                                cluster(ControlledCluster.GENEROUS).channel("n1"))
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void aRequestThatIsTooLargeIsRefused() throws IOException {
        ControlledCluster cluster = cluster(ControlledCluster.GENEROUS);

        assertThat(Codes.of(() -> cluster.stub("n1")
                        .stopSequencer(StopSequencerRequest.newBuilder()
                                .setReason("x".repeat(20_000))
                                .build())))
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(cluster.blocks("n1").status().leads()).isTrue();
    }

    @Test
    void moreRequestsThanTheRateAllowsAreRefusedAndLaterOnesServed() throws IOException {
        ControlledCluster cluster = cluster(new Limits(16 << 10, 2, 5, 10));
        ManagedChannel channel = cluster.channel("n1");
        ControlServiceGrpc.ControlServiceBlockingStub stub = ControlServiceGrpc.newBlockingStub(channel);

        await().until(() ->
                Codes.of(() -> stub.status(StatusRequest.getDefaultInstance())) == Status.Code.RESOURCE_EXHAUSTED);
        await().until(() -> Codes.of(() -> stub.status(StatusRequest.getDefaultInstance())) == Status.Code.OK);
    }

    @Test
    void aHundredThousandMalformedRequestsLeaveTheHolderAtWork() throws Exception {
        ControlledCluster cluster = cluster(new Limits(16 << 10, 10_000_000, 10_000_000, AT_A_TIME));
        Random random = new Random(42);
        byte[] good = StopSequencerRequest.newBuilder()
                .setLeaseToken(cluster.status("n1").getLeaseToken().concat(ByteString.copyFromUtf8("!")))
                .setForce(false)
                .setReason("fuzz")
                .build()
                .toByteArray();
        List<MethodDescriptor<byte[], byte[]>> methods = ControlServiceGrpc.getServiceDescriptor().getMethods().stream()
                .map(method -> raw(method.getFullMethodName()))
                .toList();
        long heightBefore = cluster.blocks("n1").status().head().height().value();
        long epochBefore = cluster.status("n1").getTerm().getTerm();

        Semaphore places = new Semaphore(AT_A_TIME - 1);
        ManagedChannel channel = cluster.channel("n1");
        for (int i = 0; i < REQUESTS; i++) {
            places.acquire();
            byte[] request = i % 2 == 0 ? noise(random) : mutated(random, good);
            ListenableFuture<byte[]> answer = ClientCalls.futureUnaryCall(
                    channel.newCall(methods.get(random.nextInt(methods.size())), CallOptions.DEFAULT), request);
            answer.addListener(places::release, MoreExecutors.directExecutor());
        }
        assertThat(places.tryAcquire(AT_A_TIME - 1, 60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 100; i++) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), cluster.plane("n1").port())) {
                socket.getOutputStream().write(noise(random));
            }
        }

        assertThat(cluster.status("n1").getTerm().getTerm()).isEqualTo(epochBefore);
        assertThat(cluster.blocks("n1").status().leads()).isTrue();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.blocks("n1").status().head().height().value() > heightBefore);
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] mutated(Random random, byte[] good) {
        byte[] bytes = good.clone();
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static MethodDescriptor<byte[], byte[]> raw(String name) {
        MethodDescriptor.Marshaller<byte[]> bytes = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                try {
                    return stream.readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(name)
                .setRequestMarshaller(bytes)
                .setResponseMarshaller(bytes)
                .build();
    }
}
