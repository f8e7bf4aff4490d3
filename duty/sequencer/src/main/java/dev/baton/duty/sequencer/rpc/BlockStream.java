package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.wire.sequencer.v1.SignedBlock;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends blocks from this node's store to one reader, as fast as the reader takes them.
 *
 * <p>Nothing is queued for a reader: it is sent the next block from the store when its connection has room. So a slow
 * one costs the holder neither time nor memory, and catches up from the store.
 */
final class BlockStream {

    private final Chain chain;
    private final ServerCallStreamObserver<SignedBlock> reader;
    private final Executor executor;
    private final Runnable whenEnded;
    private final boolean live;

    /** How often somebody wanted this stream to look again since it last did; only one thread at a time does. */
    private final AtomicInteger wakes = new AtomicInteger();

    private final Runnable growth = this::wake;
    private Height next;
    private long left;
    private boolean ended;

    private BlockStream(
            Chain chain,
            ServerCallStreamObserver<SignedBlock> reader,
            Executor executor,
            Height from,
            long limit,
            boolean live,
            Runnable whenEnded) {
        this.chain = chain;
        this.reader = reader;
        this.executor = executor;
        this.next = from;
        this.left = limit;
        this.live = live;
        this.whenEnded = whenEnded;
    }

    /** All blocks from {@code from} on, and each new one, until the reader leaves. */
    static void follow(
            Chain chain,
            ServerCallStreamObserver<SignedBlock> reader,
            Executor executor,
            Height from,
            Runnable whenEnded) {
        new BlockStream(chain, reader, executor, from, Long.MAX_VALUE, true, whenEnded).start();
    }

    /** At most {@code limit} blocks, and none that the store does not have yet. */
    static void range(
            Chain chain, ServerCallStreamObserver<SignedBlock> reader, Executor executor, Height from, long limit) {
        new BlockStream(chain, reader, executor, from, limit, false, () -> {}).start();
    }

    private void start() {
        reader.setOnReadyHandler(this::wake);
        reader.setOnCancelHandler(this::wake);
        if (live) {
            chain.onGrowth(growth);
        }
        wake();
    }

    private void wake() {
        if (wakes.getAndIncrement() == 0) {
            executor.execute(this::run);
        }
    }

    private void run() {
        int seen = 1;
        do {
            sendWhatFits();
            seen = wakes.addAndGet(-seen);
        } while (seen != 0);
    }

    private void sendWhatFits() {
        if (ended) {
            return;
        }
        try {
            while (!reader.isCancelled() && reader.isReady()) {
                Optional<StoredBlock> block = left > 0 ? chain.read(next) : Optional.empty();
                if (block.isEmpty()) {
                    if (!live) {
                        end();
                        reader.onCompleted();
                    }
                    return;
                }
                reader.onNext(WireBlocks.encode(block.get()));
                next = next.next();
                left--;
            }
            if (reader.isCancelled()) {
                end();
            }
        } catch (IOException | RuntimeException e) {
            end();
            reader.onError(Status.INTERNAL
                    .withDescription("block " + next + " cannot be read: " + e.getMessage())
                    .asRuntimeException());
        }
    }

    private void end() {
        ended = true;
        chain.removeListener(growth);
        whenEnded.run();
    }
}
