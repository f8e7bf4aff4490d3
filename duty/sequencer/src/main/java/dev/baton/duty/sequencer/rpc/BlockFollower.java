package dev.baton.duty.sequencer.rpc;

import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.BlockRefusedException;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.PeerIntake;
import dev.baton.duty.sequencer.signing.BlockVerifier;
import dev.baton.wire.sequencer.v1.FollowRequest;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SignedBlock;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the holder's blocks as they are published, and asks again, after a while, whenever the stream ends.
 *
 * <p>Only speed depends on it: whatever does not arrive this way comes from the ledger. Thread-safe.
 */
final class BlockFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BlockFollower.class);

    /** How far back a missing signature is worth asking for. */
    private static final int SIGNATURES_WITHIN = 1000;

    private final SeatId seat;
    private final Chain chain;
    private final BlockVerifier verifier;
    private final PeerChannels channels;
    private final Duration reconnectAfter;
    private final int syncEvery;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("block-follower").factory());

    private @Nullable Seating target;
    private @Nullable Stream stream;

    BlockFollower(
            SeatId seat,
            Chain chain,
            BlockVerifier verifier,
            PeerChannels channels,
            Duration reconnectAfter,
            int syncEvery) {
        this.seat = seat;
        this.chain = chain;
        this.verifier = verifier;
        this.channels = channels;
        this.reconnectAfter = reconnectAfter;
        this.syncEvery = syncEvery;
    }

    synchronized void follow(Seating holder) {
        if (holder.equals(target)) {
            return;
        }
        unfollow();
        target = holder;
        scheduler.execute(() -> connect(holder));
    }

    synchronized void unfollow() {
        target = null;
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
    }

    private synchronized void connect(Seating holder) {
        if (!holder.equals(target)) {
            return;
        }
        Stream opened = new Stream(holder);
        stream = opened;
        SequencerServiceGrpc.newStub(channels.to(holder.address()))
                .follow(
                        FollowRequest.newBuilder()
                                .setFromHeight(chain.wanted(SIGNATURES_WITHIN).value())
                                .build(),
                        opened);
    }

    private synchronized void reconnect(Stream ended) {
        if (ended == stream && !scheduler.isShutdown()) {
            stream = null;
            // Spread, so that all followers of a node that comes back do not ask in the same instant.
            double factor = 0.5 + ThreadLocalRandom.current().nextDouble();
            long delayNanos = (long) (reconnectAfter.toNanos() * factor);
            var ignored = scheduler.schedule(() -> connect(ended.holder), delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public synchronized void close() {
        unfollow();
        scheduler.shutdownNow();
    }

    /** One question to the holder; its answers arrive one at a time. */
    private final class Stream implements ClientResponseObserver<FollowRequest, SignedBlock> {

        private final Seating holder;
        private final PeerIntake intake = new PeerIntake(chain, verifier, syncEvery);
        private @Nullable ClientCallStreamObserver<FollowRequest> call;

        Stream(Seating holder) {
            this.holder = holder;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowRequest> call) {
            this.call = call;
        }

        void cancel() {
            if (call != null) {
                call.cancel("no longer wanted", null);
            }
        }

        @Override
        public void onNext(SignedBlock block) {
            try {
                intake.take(WireBlocks.decode(seat, block));
            } catch (BlockRefusedException e) {
                log.warn("a block from {} at {} was refused: {}", holder.term(), holder.address(), e.getMessage());
                cancel();
            } catch (Exception e) {
                log.warn("a block from {} at {} could not be kept", holder.term(), holder.address(), e);
                cancel();
            }
        }

        @Override
        public void onError(Throwable failure) {
            log.debug("blocks from {} at {} ended: {}", holder.term(), holder.address(), failure.getMessage());
            reconnect(this);
        }

        @Override
        public void onCompleted() {
            reconnect(this);
        }
    }
}
