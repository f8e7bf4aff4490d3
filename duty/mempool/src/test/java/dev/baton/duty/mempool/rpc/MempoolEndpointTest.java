package dev.baton.duty.mempool.rpc;

import static dev.baton.duty.mempool.Samples.block;
import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.hashes;
import static dev.baton.duty.mempool.Samples.payload;
import static dev.baton.duty.mempool.Samples.term;
import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.local.LocalMempool;
import dev.baton.wire.mempool.v1.Event;
import dev.baton.wire.mempool.v1.ListRequest;
import dev.baton.wire.mempool.v1.ListResponse;
import dev.baton.wire.mempool.v1.Listing;
import dev.baton.wire.mempool.v1.MempoolGrpc;
import dev.baton.wire.mempool.v1.Stage;
import dev.baton.wire.mempool.v1.StatsRequest;
import dev.baton.wire.mempool.v1.StatusRequest;
import dev.baton.wire.mempool.v1.SubmitRequest;
import dev.baton.wire.mempool.v1.TransactionStatus;
import dev.baton.wire.mempool.v1.WatchRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MempoolEndpointTest {

    private final Mempool pool =
            LocalMempool.inMemory(MempoolLimits.DEFAULT.withMaxPending(3).withMaxEvents(5), InstantSource.system());
    private final MempoolEndpoint endpoint = new MempoolEndpoint(pool);
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        server = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", 0), InsecureServerCredentials.create())
                .addService(endpoint)
                .build()
                .start();
        channel = Grpc.newChannelBuilder("127.0.0.1:" + server.getPort(), InsecureChannelCredentials.create())
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        endpoint.close();
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        pool.close();
    }

    private MempoolGrpc.MempoolBlockingStub client() {
        return MempoolGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private static SubmitRequest request(int number, String... keys) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder()
                .setPayload(ByteString.copyFrom(payload(number).asBuffer()));
        for (String key : keys) {
            request.addConflictKeys(ByteString.copyFromUtf8(key));
        }
        return request.build();
    }

    private static ByteString wire(int number) {
        return ByteString.copyFrom(hash(number).asBuffer());
    }

    private static void refused(io.grpc.Status.Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        failure -> assertThat(failure.getStatus().getCode()).isEqualTo(code));
    }

    @Test
    void aTransactionIsSubmittedOnceAndItsStageIsTold() {
        assertThat(client().submit(request(1)).getHash()).isEqualTo(wire(1));
        refused(io.grpc.Status.Code.ALREADY_EXISTS, () -> client().submit(request(1)));
        assertThat(client().status(StatusRequest.newBuilder().setHash(wire(1)).build())
                        .getStage())
                .isEqualTo(Stage.PENDING);
        assertThat(client().status(StatusRequest.newBuilder().setHash(wire(9)).build())
                        .getStage())
                .isEqualTo(Stage.UNKNOWN);
    }

    @Test
    void whatIsRefusedHasACodeOfItsOwn() {
        client().submit(request(1, "a"));
        refused(io.grpc.Status.Code.FAILED_PRECONDITION, () -> client().submit(request(2, "a")));
        refused(io.grpc.Status.Code.INVALID_ARGUMENT, () -> client().submit(SubmitRequest.getDefaultInstance()));
        refused(
                io.grpc.Status.Code.INVALID_ARGUMENT,
                () -> client().status(StatusRequest.newBuilder()
                        .setHash(ByteString.copyFromUtf8("short"))
                        .build()));
        refused(
                io.grpc.Status.Code.INVALID_ARGUMENT,
                () -> client().list(ListRequest.newBuilder()
                        .setListing(Listing.LIST_PENDING)
                        .setAfter(-5)
                        .build()));
        refused(io.grpc.Status.Code.INVALID_ARGUMENT, () -> client().list(ListRequest.getDefaultInstance()));
        client().submit(request(3));
        client().submit(request(4));
        refused(io.grpc.Status.Code.RESOURCE_EXHAUSTED, () -> client().submit(request(5)));
        pool.close();
        refused(io.grpc.Status.Code.UNAVAILABLE, () -> client().stats(StatsRequest.getDefaultInstance()));
    }

    @Test
    void listsShowEachStageWithWhatTheChainSays() {
        pool.receive(transaction(1));
        pool.receive(transaction(2));
        pool.markInflight("n1", Duration.ofHours(1), hashes(1));
        pool.confirm(term(1), block(1, 1));
        ListResponse pending = list(Listing.LIST_PENDING);
        assertThat(pending.getTransactionsList())
                .extracting(TransactionStatus::getHash)
                .containsExactly(wire(2));
        TransactionStatus inflight = list(Listing.LIST_INFLIGHT).getTransactions(0);
        assertThat(inflight.getStage()).isEqualTo(Stage.CONFIRMED);
        assertThat(inflight.getConfirmedAt().getNumber()).isEqualTo(1);
        assertThat(inflight.getOwner()).isEqualTo("n1");
        assertThat(list(Listing.LIST_FINALIZED).getTransactionsCount()).isZero();
    }

    private ListResponse list(Listing listing) {
        return client().list(ListRequest.newBuilder().setListing(listing).build());
    }

    @Test
    void aWatcherOfEventsGetsThemInOrderAndIsToldWhenItFellBehind() {
        Iterator<Event> events = client().watch(WatchRequest.getDefaultInstance());
        pool.receive(transaction(1));
        pool.markInflight("n1", Duration.ofHours(1), hashes(1));
        assertThat(events.next().getStage()).isEqualTo(Stage.PENDING);
        Event second = events.next();
        assertThat(second.getStage()).isEqualTo(Stage.PROPAGATED);
        assertThat(second.getId()).isEqualTo(2);
        for (int block = 1; block <= 2; block++) {
            pool.confirm(term(1), block(block));
        }
        assertThat(events.next().getStage()).isEqualTo(Stage.DROPPED);
        for (int round = 0; round < 3; round++) {
            pool.receive(transaction(10 + round));
        }
        Iterator<Event> late = client().watch(WatchRequest.getDefaultInstance());
        assertThatThrownBy(late::next)
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("OUT_OF_RANGE")
                .hasMessageContaining("oldest: 2");
    }
}
