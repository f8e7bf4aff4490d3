package dev.baton.cli.up;

import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.core.Hash;
import dev.baton.duty.remote.peer.PeerBlock;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.remote.v1.Block;
import dev.baton.wire.remote.v1.BlockServiceGrpc;
import dev.baton.wire.remote.v1.BlocksRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Holds the blocks of the sequencers against each other, as far as they are in the ledger: above that a sequencer that
 * lost its seat may have some that nobody else will ever have.
 */
final class RemoteOnlooker implements Onlooker {

    private static final long ASK_EACH_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int AT_ONCE = 500;

    private record Sequencer(String node, ManagedChannel channel) {}

    private final boolean isNew;
    private final List<Sequencer> sequencers = new ArrayList<>();
    private final ChainObserver observer = new ChainObserver();
    private final List<Thread> threads = new ArrayList<>();

    RemoteOnlooker(ClusterFolder folder) {
        this.isNew = folder.isNew();
        for (Member member : folder.file().nodes()) {
            sequencers.add(new Sequencer(
                    member.node(),
                    Grpc.newChannelBuilder(SequencerProgram.address(member), InsecureChannelCredentials.create())
                            .build()));
        }
    }

    @Override
    public void start(Reporter reporter) {
        for (Sequencer sequencer : sequencers) {
            threads.add(Thread.ofVirtual().start(() -> followOnAndOn(sequencer, reporter)));
        }
    }

    private void followOnAndOn(Sequencer sequencer, Reporter reporter) {
        boolean begun = false;
        try {
            while (true) {
                try {
                    long safe = safe(sequencer);
                    if (!begun) {
                        observer.follow(sequencer.node(), isNew ? 0 : safe);
                        begun = true;
                    }
                    show(sequencer, safe, reporter);
                } catch (StatusRuntimeException e) {
                    sequencer.channel().resetConnectBackoff(); // it may be back before gRPC thinks so
                }
                Thread.sleep(ASK_EACH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** What this sequencer was told is in the ledger. */
    private static long safe(Sequencer sequencer) {
        return ControlServiceGrpc.newBlockingStub(sequencer.channel())
                .withDeadlineAfter(PATIENCE)
                .health(HealthRequest.getDefaultInstance())
                .getSafeNumber();
    }

    private void show(Sequencer sequencer, long safe, Reporter reporter) {
        for (Block block : blocks(sequencer, observer.nextOf(sequencer.node()))) {
            if (block.getNumber() <= safe) {
                observer.seen(sequencer.node(), seen(sequencer, block)).ifPresent(reporter::seen);
            }
        }
    }

    private static List<Block> blocks(Sequencer sequencer, long from) {
        return BlockServiceGrpc.newBlockingStub(sequencer.channel())
                .withDeadlineAfter(PATIENCE)
                .blocks(BlocksRequest.newBuilder()
                        .setFromNumber(from)
                        .setLimit(AT_ONCE)
                        .build())
                .getBlocksList();
    }

    private static SeenBlock seen(Sequencer sequencer, Block block) {
        return new SeenBlock(
                block.getNumber(),
                PeerBlock.of(block).hash().toString(),
                Hash.of(block.getParent().toByteArray()).toString(),
                block.getEpoch(),
                sequencer.node(),
                0,
                block.getMadeAtMillis());
    }

    @Override
    public Tally tally() {
        return observer.tally();
    }

    /** The others have followed by now: what the ledger has, they must have, too. */
    @Override
    public void conclude(Predicate<String> isUp, Duration patience) throws InterruptedException {
        observer.freeze();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            boolean level = true;
            for (Sequencer sequencer : sequencers) {
                if (isUp.test(sequencer.node()) && !observer.isLevel(sequencer.node())) {
                    level = compare(sequencer) && level;
                }
            }
            if (level) {
                return;
            }
            Thread.sleep(ASK_EACH_MILLIS);
        }
    }

    private boolean compare(Sequencer sequencer) {
        try {
            for (Block block : blocks(sequencer, observer.nextOf(sequencer.node()))) {
                var unused = observer.seen(sequencer.node(), seen(sequencer, block));
            }
        } catch (StatusRuntimeException e) {
            return false;
        }
        return observer.isLevel(sequencer.node());
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        sequencers.forEach(sequencer -> sequencer.channel().shutdownNow());
    }
}
