package dev.baton.duty.sequencer.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.ForkDetectedException;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.FakeLedger;
import dev.baton.duty.sequencer.fixture.HandTenure;
import dev.baton.wire.sequencer.v1.BlockRequest;
import dev.baton.wire.sequencer.v1.FollowRequest;
import dev.baton.wire.sequencer.v1.RangeRequest;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SignedBlock;
import dev.baton.wire.sequencer.v1.SubmitRequest;
import dev.baton.wire.sequencer.v1.SubmitResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcSequencerTest {

    @TempDir
    Path folder;

    private final FakeLedger ledger = new FakeLedger();
    private final Map<NodeId, PublicKey> keys = new ConcurrentHashMap<>();
    private final List<GrpcNode> nodes = new ArrayList<>();
    private final PeerChannels clients = PeerChannels.plaintext();
    private GrpcNode a;
    private GrpcNode b;

    @BeforeEach
    void start() throws Exception {
        a = node("a", SequencerSettings.DEFAULT);
        b = node("b", SequencerSettings.DEFAULT);
    }

    @AfterEach
    void stop() throws Exception {
        clients.close();
        for (GrpcNode node : nodes) {
            node.close();
        }
    }

    private GrpcNode node(String name, SequencerSettings settings) throws Exception {
        GrpcNode node = new GrpcNode(name, folder, ledger, keys, settings);
        nodes.add(node);
        return node;
    }

    private SequencerServiceGrpc.SequencerServiceBlockingStub client(GrpcNode node) {
        return SequencerServiceGrpc.newBlockingStub(clients.to(node.address())).withDeadlineAfter(10, TimeUnit.SECONDS);
    }

    private static SubmitRequest request(String transaction) {
        return SubmitRequest.newBuilder()
                .setTransaction(ByteString.copyFromUtf8(transaction))
                .build();
    }

    private static void pulse(GrpcNode node, HandTenure tenure, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            node.driver.pulse(tenure);
        }
    }

    private static void awaitHeight(GrpcNode node, long height) {
        await().until(() -> node.duty.applied().equals(new Height(height)));
    }

    @Test
    void followerHearsSignedBlocksFromTheHolderAlone() throws Exception {
        HandTenure tenure = a.driver.lead();
        pulse(a, tenure, 3);
        b.duty.holderChanged(Optional.of(a.seating(tenure)));
        awaitHeight(b, 3);
        pulse(a, tenure, 3);
        awaitHeight(b, 6);
        assertThat(b.sequencer.statistics().unsigned()).isZero();
        assertThat(b.sequencer.statistics().head()).isEqualTo(ledger.head());
        assertThat(a.sequencer.statistics().followers()).isEqualTo(1);
        b.driver.catchUpWithLedger();
        b.duty.apply(ledger.entries());
        b.duty.holderChanged(Optional.empty());
        await().until(() -> a.sequencer.statistics().followers() == 0);
    }

    @Test
    void signaturesOfBlocksFromTheLedgerAreAskedFromTheHolder() throws Exception {
        HandTenure tenure = a.driver.lead();
        pulse(a, tenure, 4);
        b.driver.catchUpWithLedger();
        assertThat(b.sequencer.statistics().unsigned()).isEqualTo(4);
        b.duty.holderChanged(Optional.of(a.seating(tenure)));
        await().until(() -> b.sequencer.statistics().unsigned() == 0);
        assertThat(client(b).block(BlockRequest.newBuilder().setHeight(2).build()))
                .isEqualTo(
                        client(a).block(BlockRequest.newBuilder().setHeight(2).build()));
    }

    @Test
    void followerAsksAgainWhenTheHoldersServerComesBack() throws Exception {
        HandTenure tenure = a.driver.lead();
        b.duty.holderChanged(Optional.of(a.seating(tenure)));
        pulse(a, tenure, 1);
        awaitHeight(b, 1);
        a.restartServer();
        pulse(a, tenure, 1);
        awaitHeight(b, 2);
    }

    @Test
    void followerThatBecomesHolderStopsListening() throws Exception {
        HandTenure old = a.driver.lead();
        b.duty.holderChanged(Optional.of(a.seating(old)));
        pulse(a, old, 1);
        awaitHeight(b, 1);
        a.driver.stepDown(old);
        HandTenure next = b.driver.lead();
        await().until(() -> a.sequencer.statistics().followers() == 0);
        a.duty.holderChanged(Optional.of(b.seating(next)));
        pulse(b, next, 2);
        awaitHeight(a, 3);
    }

    @Test
    void readerThatTakesNothingDoesNotHoldUpTheHolderAndLosesNothing() throws Exception {
        HandTenure tenure = a.driver.lead();
        List<Long> heights = new CopyOnWriteArrayList<>();
        CompletableFuture<ClientCallStreamObserver<FollowRequest>> call = new CompletableFuture<>();
        SequencerServiceGrpc.newStub(clients.to(a.address()))
                .follow(
                        FollowRequest.newBuilder().setFromHeight(1).build(),
                        new ClientResponseObserver<FollowRequest, SignedBlock>() {
                            @Override
                            public void beforeStart(ClientCallStreamObserver<FollowRequest> stream) {
                                stream.disableAutoRequestWithInitial(0);
                                call.complete(stream);
                            }

                            @Override
                            public void onNext(SignedBlock block) {
                                heights.add(entryHeight(block));
                            }

                            @Override
                            public void onError(Throwable failure) {}

                            @Override
                            public void onCompleted() {}
                        });
        String filler = "x".repeat(100_000);
        List<CompletableFuture<Submitted>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(a.duty.submit(Bytes.utf8(i + filler)).toCompletableFuture());
            pulse(a, tenure, 1);
        }
        for (CompletableFuture<Submitted> answer : answers) {
            assertThat(answer.get(10, TimeUnit.SECONDS)).isInstanceOf(Submitted.Accepted.class);
        }
        assertThat(heights).isEmpty();
        call.get(10, TimeUnit.SECONDS).request(1000);
        await().until(() -> heights.size() == 40);
        assertThat(heights).isSorted().doesNotHaveDuplicates();
        call.get().cancel("done", null);
    }

    private static long entryHeight(SignedBlock block) {
        // After the format byte.
        return block.getEntry().asReadOnlyByteBuffer().getLong(1);
    }

    @Test
    void nodeOlderThanTheLedgerCatchesUpFromItsPeers() throws Exception {
        HandTenure tenure = a.driver.lead();
        assertThat(a.duty.submit(Bytes.utf8("old")).toCompletableFuture()).isNotDone();
        pulse(a, tenure, 60);
        // b has them all, but learnt them from the ledger: only its tip will be signed.
        a.driver.stepDown(tenure);
        HandTenure next = b.driver.lead();
        pulse(b, next, 1);
        GrpcNode c = node("c", SequencerSettings.DEFAULT);
        c.peers.addAll(List.of("127.0.0.1:1", b.address()));

        c.duty.catchUp(new Height(51));
        assertThat(c.duty.applied().value()).isGreaterThanOrEqualTo(50);
        assertThat(c.duty.readiness().isReady()).isTrue();
        c.duty.apply(ledger.after(new Height(50)));
        assertThat(c.sequencer.statistics().head()).isEqualTo(ledger.head());
        assertThat(c.sequencer.statistics().stateRoot())
                .isEqualTo(a.sequencer.statistics().stateRoot());
        assertThat(c.duty.submit(Bytes.utf8("old")).toCompletableFuture().get(10, TimeUnit.SECONDS))
                .isInstanceOf(Submitted.Accepted.class);
    }

    @Test
    void catchingUpWithoutAPeerThatHasTheBlocksSaysWhatEachAnswered() throws Exception {
        HandTenure tenure = a.driver.lead();
        pulse(a, tenure, 3);
        assertThatThrownBy(() -> b.duty.catchUp(new Height(10))).hasMessageContaining("no peers are known");
        b.peers.addAll(List.of("127.0.0.1:1", a.address()));
        assertThatThrownBy(() -> b.duty.catchUp(new Height(10)))
                .hasMessageContaining("blocks 1 to 9 are older than the ledger")
                .hasMessageContaining("127.0.0.1:1: UNAVAILABLE")
                .hasMessageContaining(a.address() + " has no signed block beyond 3");
        assertThat(b.duty.readiness().isReady()).isFalse();
    }

    @Test
    void blocksOfAPeerWhoseKeyIsUnknownAreNotBelieved() throws Exception {
        FakeLedger forged = new FakeLedger();
        try (GrpcNode forger =
                new GrpcNode("forger", folder, forged, new ConcurrentHashMap<>(), SequencerSettings.DEFAULT)) {
            HandTenure tenure = forger.driver.lead();
            pulse(forger, tenure, 5);
            b.peers.add(forger.address());
            assertThatThrownBy(() -> b.duty.catchUp(new Height(4))).hasMessageContaining("public key is not known");
            assertThat(b.duty.applied()).isEqualTo(Height.ZERO);

            // Nor is a chain without any signature, however long.
            try (GrpcNode silent =
                    new GrpcNode("silent", folder, forged, new ConcurrentHashMap<>(), SequencerSettings.DEFAULT)) {
                silent.driver.catchUpWithLedger();
                b.peers.set(0, silent.address());
                assertThatThrownBy(() -> b.duty.catchUp(new Height(4)))
                        .hasMessageContaining("no signed block beyond 0");
                assertThat(b.duty.applied()).isEqualTo(Height.ZERO);
            }
        }
    }

    @Test
    void chainFromPeersThatTheLedgerContradictsIsAFork() throws Exception {
        HandTenure tenure = a.driver.lead();
        pulse(a, tenure, 3);
        b.peers.add(a.address());
        b.duty.catchUp(new Height(4));
        Block stranger = Blocks.after(new Head(new Height(3), Hash.ZERO));
        assertThatThrownBy(() -> b.duty.apply(List.of(stranger.entry()))).isInstanceOf(ForkDetectedException.class);
    }

    @Test
    void submissionReachesTheHolderThroughAnyNode() throws Exception {
        HandTenure tenure = a.driver.lead();
        b.duty.holderChanged(Optional.of(a.seating(tenure)));
        CompletableFuture<Submitted> answer =
                b.sequencer.submitter().submit(Bytes.utf8("tx")).toCompletableFuture();
        await().until(() -> a.sequencer.statistics().pending() == 1);
        Block block = a.driver.pulse(tenure);
        assertThat(answer.get(10, TimeUnit.SECONDS))
                .isEqualTo(new Submitted.Accepted(Height.FIRST, 0, Hash.sha256(Bytes.utf8("tx")), block.hash(), false));
        SubmitResponse again = client(b).submit(request("tx"));
        assertThat(again.getDuplicate()).isTrue();
        assertThat(again.getHeight()).isEqualTo(1);
        assertThat(again.getBlockHash().toByteArray()).isEqualTo(block.hash().toArray());
    }

    private static void assertRefused(Status.Code code, String text, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, failure -> {
            assertThat(failure.getStatus().getCode()).isEqualTo(code);
            assertThat(failure.getStatus().getDescription()).contains(text);
        });
    }

    @Test
    void whatCannotBeTakenIsRefusedWithAStatusAlsoThroughAnotherNode() throws Exception {
        GrpcNode small = node("small", SequencerSettings.DEFAULT.withLimits(400, 100, 1));
        HandTenure tenure = small.driver.lead();
        b.duty.holderChanged(Optional.of(small.seating(tenure)));
        assertThat(small.duty.submit(Bytes.utf8("first")).toCompletableFuture()).isNotDone();
        for (GrpcNode node : List.of(small, b)) {
            assertRefused(
                    Status.Code.INVALID_ARGUMENT,
                    "transaction: 0 bytes",
                    () -> client(node).submit(request("")));
            assertRefused(
                    Status.Code.INVALID_ARGUMENT,
                    "transaction: 101 bytes (expected: 1 to 100)",
                    () -> client(node).submit(request("x".repeat(101))));
            assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "1 transactions",
                    () -> client(node).submit(request("second")));
        }
    }

    @Test
    void withoutForwardingTheAnswerNamesTheHolder() throws Exception {
        GrpcNode plain = node("plain", SequencerSettings.DEFAULT.withForward(false));
        assertRefused(
                Status.Code.UNAVAILABLE, "nobody is known", () -> client(plain).submit(request("tx")));
        HandTenure tenure = a.driver.lead();
        plain.duty.holderChanged(Optional.of(a.seating(tenure)));
        assertThatThrownBy(() -> client(plain).submit(request("tx")))
                .isInstanceOfSatisfying(StatusRuntimeException.class, failure -> {
                    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                    assertThat(failure.getTrailers()).isNotNull();
                    assertThat(failure.getTrailers().get(SubmitStatus.HOLDER)).isEqualTo(a.address());
                });
    }

    @Test
    void nodesThatTakeEachOtherForTheHolderDoNotForwardInCircles() throws Exception {
        HandTenure byA = new HandTenure(a.id, 1, ledger);
        HandTenure byB = new HandTenure(b.id, 1, ledger);
        a.duty.holderChanged(Optional.of(b.seating(byB)));
        b.duty.holderChanged(Optional.of(a.seating(byA)));
        assertRefused(
                Status.Code.UNAVAILABLE,
                "does not hold the seat",
                () -> client(a).submit(request("tx")));
    }

    @Test
    void submissionWhoseFateIsUnknownIsAbortedAlsoThroughAnotherNode() throws Exception {
        HandTenure tenure = a.driver.lead();
        b.duty.holderChanged(Optional.of(a.seating(tenure)));
        CompletableFuture<Submitted> answer =
                b.sequencer.submitter().submit(Bytes.utf8("tx")).toCompletableFuture();
        await().until(() -> a.sequencer.statistics().pending() == 1);
        a.driver.propose(tenure);
        a.driver.stepDown(tenure);
        assertThat(answer.get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Submitted.Unknown.class,
                        unknown -> assertThat(unknown.why()).contains("ABORTED").contains("submit it again"));
    }

    @Test
    void holderThatCannotBeReachedLeavesTheFateUnknown() throws Exception {
        HandTenure gone = new HandTenure(a.id, 1, ledger);
        b.duty.holderChanged(Optional.of(new Seating(gone.term(), "127.0.0.1:1")));
        assertRefused(Status.Code.ABORTED, "submit it again", () -> client(b).submit(request("tx")));
    }

    @Test
    void rangeIsInOrderAndEndsWhereTheStoreEnds() throws Exception {
        HandTenure tenure = a.driver.lead();
        pulse(a, tenure, 5);
        assertThat(range(2, 3, 0)).containsExactly(2L, 3L);
        assertThat(range(2, 0, 0)).containsExactly(2L, 3L, 4L, 5L);
        assertThat(range(2, 0, 1)).containsExactly(2L);
        assertThat(range(9, 0, 0)).isEmpty();
        assertThat(range(4, 2, 0)).isEmpty();
        assertRefused(Status.Code.INVALID_ARGUMENT, "from_height: 0", () -> range(0, 0, 0));
        assertRefused(
                Status.Code.NOT_FOUND,
                "this node's last one is 5",
                () -> client(a).block(BlockRequest.newBuilder().setHeight(6).build()));
    }

    private List<Long> range(long from, long to, int limit) {
        List<Long> heights = new ArrayList<>();
        client(a)
                .range(RangeRequest.newBuilder()
                        .setFromHeight(from)
                        .setToHeight(to)
                        .setLimit(limit)
                        .build())
                .forEachRemaining(block -> heights.add(entryHeight(block)));
        return heights;
    }
}
