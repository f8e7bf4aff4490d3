package dev.baton.duty.sequencer.availability;

import dev.baton.core.Height;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the holder's blocks in the background, from the safe head on.
 *
 * <p>It never holds up production: if the layer fails, the backlog grows and everybody can see it. Two holders that
 * overlap here do no harm, because all that either has is committed. Thread-safe.
 */
public final class DataAvailabilityPublisher implements AutoCloseable {

    /** Where the blocks come from: committed ones only. */
    @FunctionalInterface
    public interface BlockSource {
        List<StoredBlock> range(Height from, int blocks, long bytes) throws IOException;
    }

    private static final Logger log = LoggerFactory.getLogger(DataAvailabilityPublisher.class);
    private static final long BATCH_BYTES = 8L << 20;

    private final DataAvailability layer;
    private final BlockSource blocks;
    private final int batch;
    private final Duration retry;
    private final Semaphore news = new Semaphore(0);

    private @Nullable Thread thread;
    private volatile Duration lastLatency = Duration.ZERO;
    private volatile long failures;
    private volatile @Nullable String lastFailure;
    private volatile Height safeHead = Height.ZERO;

    public DataAvailabilityPublisher(DataAvailability layer, BlockSource blocks, int batch, Duration retry) {
        this.layer = layer;
        this.blocks = blocks;
        this.batch = batch;
        this.retry = retry;
    }

    /** Begins to publish; does nothing if it does so already. */
    public synchronized void start() {
        if (thread == null) {
            thread = Thread.ofVirtual().name("availability").start(this::run);
        }
    }

    /** Does not wait: a batch that is on its way may still be published. */
    public synchronized void stop() {
        if (thread != null) {
            thread.interrupt();
            thread = null;
        }
    }

    /** There are new blocks. Does not block. */
    public void nudge() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (!publishNext()) {
                    // Also wakes by itself, because another node may have published or a nudge got lost to it.
                    if (news.tryAcquire(retry.toNanos(), TimeUnit.NANOSECONDS)) {
                        news.drainPermits();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false if there is nothing to publish. */
    private boolean publishNext() throws InterruptedException {
        try {
            List<StoredBlock> next = blocks.range(layer.publishedHeight().next(), batch, BATCH_BYTES);
            if (next.isEmpty()) {
                return false;
            }
            long startNanos = System.nanoTime();
            layer.publish(next);
            lastLatency = Duration.ofNanos(System.nanoTime() - startNanos);
            safeHead = layer.publishedHeight();
            lastFailure = null;
            return true;
        } catch (Exception e) {
            if (Thread.currentThread().isInterrupted() || e instanceof InterruptedException) {
                throw new InterruptedException();
            }
            countFailure(e);
            TimeUnit.NANOSECONDS.sleep(retry.toNanos());
            return true;
        }
    }

    private synchronized void countFailure(Exception e) {
        failures++;
        lastFailure = String.valueOf(e.getMessage());
        log.warn("publishing to {} failed, trying again in {}: {}", layer, retry, e.getMessage());
    }

    public Publishing now() {
        try {
            safeHead = layer.publishedHeight();
        } catch (RuntimeException e) {
            // What was known last still holds: what is published stays published.
            log.debug("cannot ask {}", layer, e);
        }
        return new Publishing(safeHead, layer.height(), lastLatency, failures, lastFailure);
    }

    @Override
    public void close() {
        stop();
    }
}
