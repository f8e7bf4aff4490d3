package dev.baton.duty.sequencer.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Era;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.FakeLedger;
import dev.baton.duty.sequencer.fixture.HandTenure;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import dev.baton.wire.sequencer.v1.FollowRequest;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SignedBlock;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower and a holder that says whatever the test wants. */
class BlockFollowerTest {

    private static final NodeId HOLDER = new NodeId("holder");
    private static final List<Block> CHAIN = Blocks.chain(4);

    @TempDir
    Path folder;

    private final FakeLedger ledger = new FakeLedger();
    private final Map<NodeId, PublicKey> keys = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile List<SignedBlock> script = List.of();
    private LocalEd25519Signer signer;
    private Server holder;
    private GrpcNode follower;

    @BeforeEach
    void start() throws Exception {
        signer = LocalEd25519Signer.loadOrCreate(HOLDER, Era.FIRST, folder.resolve("holder.key"));
        keys.put(HOLDER, signer.publicKey());
        holder = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new SequencerServiceGrpc.SequencerServiceImplBase() {
                    @Override
                    public void follow(FollowRequest request, StreamObserver<SignedBlock> client) {
                        asked.incrementAndGet();
                        script.forEach(client::onNext);
                    }
                })
                .build()
                .start();
        follower = new GrpcNode("b", folder, ledger, keys, SequencerSettings.DEFAULT);
    }

    @AfterEach
    void stop() throws Exception {
        follower.close();
        holder.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }

    private SignedBlock signed(Block block) throws Exception {
        return WireBlocks.encode(new StoredBlock(block, signer.sign(block)));
    }

    private void follow() {
        follower.duty.holderChanged(
                Optional.of(new Seating(new HandTenure(HOLDER, 1, ledger).term(), "127.0.0.1:" + holder.getPort())));
    }

    /** The follower asks again because it refused what it was told. */
    private void awaitRefusalThenTruth() throws Exception {
        follow();
        await().until(() -> asked.get() >= 2);
        Height kept = follower.duty.applied();
        assertThat(kept.isAbove(Height.FIRST)).isFalse();
        script = List.of(signed(CHAIN.get(0)), signed(CHAIN.get(1)));
        await().until(() -> follower.duty.applied().equals(new Height(2)));
        assertThat(follower.sequencer.statistics().head())
                .isEqualTo(CHAIN.get(1).asHead());
    }

    @Test
    void blockWithASignatureThatDoesNotMatchIsRefused() throws Exception {
        BlockSignature ofAnother = signer.sign(CHAIN.get(1));
        script = List.of(WireBlocks.encode(new StoredBlock(CHAIN.get(0), ofAnother)));
        awaitRefusalThenTruth();
    }

    @Test
    void signedBlockWithAnotherParentIsRefusedAndTheFirstOneKept() throws Exception {
        Block stranger = Blocks.after(
                Blocks.chain(CHAIN.get(0).asHead(), 1, "other-").getFirst().asHead());
        Block orphan = Blocks.after(new Head(Height.FIRST, stranger.hash()));
        script = List.of(signed(CHAIN.get(0)), signed(orphan));
        awaitRefusalThenTruth();
    }

    @Test
    void signedBlockThatComesTooEarlyIsRefused() throws Exception {
        script = List.of(signed(CHAIN.get(2)));
        awaitRefusalThenTruth();
    }

    @Test
    void bytesThatAreNoBlockAreRefused() throws Exception {
        script = List.of(SignedBlock.getDefaultInstance());
        awaitRefusalThenTruth();
    }

    @Test
    void unsignedBlocksWaitUntilASignedOneVouchesForThem() throws Exception {
        script = List.of(
                WireBlocks.encode(StoredBlock.unsigned(CHAIN.get(0))),
                WireBlocks.encode(StoredBlock.unsigned(CHAIN.get(1))),
                signed(CHAIN.get(2)),
                WireBlocks.encode(StoredBlock.unsigned(CHAIN.get(3))));
        follow();
        await().until(() -> follower.duty.applied().equals(new Height(3)));
        assertThat(follower.sequencer.statistics().unsigned()).isEqualTo(2);
        follower.duty.apply(Blocks.entries(CHAIN));
        assertThat(follower.duty.applied()).isEqualTo(new Height(4));
    }

    @Test
    void ledgerAndGossipAtTheSameTimeMakeOneChain() throws Exception {
        List<Block> chain = Blocks.chain(200);
        List<SignedBlock> all = new ArrayList<>();
        for (Block block : chain) {
            all.add(signed(block));
        }
        script = List.copyOf(all);
        follow();
        for (Block block : chain) {
            follower.duty.apply(
                    Blocks.entries(chain.subList(0, (int) block.height().value())));
        }
        assertThat(follower.sequencer.statistics().head())
                .isEqualTo(chain.getLast().asHead());
        await().until(() -> follower.sequencer.statistics().unsigned() == 0);
    }
}
