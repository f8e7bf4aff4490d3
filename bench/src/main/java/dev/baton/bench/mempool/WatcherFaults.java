package dev.baton.bench.mempool;

import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.WatcherTerm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Kills the watcher, and freezes the next one, again and again; each time the other node has to go on.
 *
 * <p>A process is frozen only while it has no submission to answer, and gets none while it is: what it would answer after
 * it woke is a submission of its own, and what has ended may come again.
 */
final class WatcherFaults {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final WatcherNodes nodes;
    private final Mempool pool;
    private final Consumer<String> progress;
    private final ReentrantLock submitting = new ReentrantLock();
    private final List<Double> takeoverMillis = new ArrayList<>();
    private int killed;
    private int frozen;
    private volatile int standing = -1; // the node that stands still

    WatcherFaults(WatcherNodes nodes, Mempool pool, Consumer<String> progress) {
        this.nodes = nodes;
        this.pool = pool;
        this.progress = progress;
    }

    /** What submits holds this meanwhile. */
    ReentrantLock submitting() {
        return submitting;
    }

    /** This node, or the other one if this one stands still. */
    int awake(int node) {
        return node == standing ? 1 - node : node;
    }

    /** Blocks until the time is over, there was at least one fault of each kind, and both nodes are well again. */
    void goOnUntil(long endNanos) throws IOException, InterruptedException {
        while (System.nanoTime() < endNanos || killed == 0 || frozen == 0) {
            int watcher = awaitWatcher();
            long epoch = epoch();
            boolean kills = killed <= frozen;
            long begunNanos = System.nanoTime();
            if (kills) {
                killed++;
                nodes.kill(watcher);
            } else {
                frozen++;
                freeze(watcher);
            }
            await("a higher term than " + epoch, () -> epoch() > epoch && nodes.watchesInEpoch(1 - watcher) > epoch);
            double millis = (System.nanoTime() - begunNanos) / 1e6;
            takeoverMillis.add(millis);
            progress.accept((kills ? "killed " : "froze ") + WatcherNodes.name(watcher) + ", "
                    + WatcherNodes.name(1 - watcher) + " watches after " + Math.round(millis) + " ms");
            if (kills) {
                nodes.launch(watcher);
            } else {
                nodes.wake(watcher);
                standing = -1;
            }
            nodes.awaitReady(watcher);
        }
    }

    private void freeze(int watcher) throws IOException, InterruptedException {
        submitting.lock();
        try {
            standing = watcher;
            nodes.freeze(watcher);
        } finally {
            submitting.unlock();
        }
    }

    private long epoch() {
        return pool.stats()
                .watcher()
                .map(WatcherTerm::epoch)
                .map(epoch -> epoch.value())
                .orElse(0L);
    }

    /** Whoever watches in the term that the pool knows: one that has just woken may still believe that it does. */
    private int awaitWatcher() throws InterruptedException {
        int[] found = {-1};
        await("a watcher", () -> {
            long epoch = epoch();
            for (int node = 0; node < WatcherNodes.NODES && epoch > 0; node++) {
                if (nodes.watchesInEpoch(node) == epoch) {
                    found[0] = node;
                }
            }
            return found[0] >= 0;
        });
        return found[0];
    }

    /** Something to wait for. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws InterruptedException;
    }

    static void await(String what, Condition condition) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > giveUpNanos) {
                throw new IllegalStateException("waited " + PATIENCE + " for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    int killed() {
        return killed;
    }

    int frozen() {
        return frozen;
    }

    List<Double> takeoverMillis() {
        return List.copyOf(takeoverMillis);
    }
}
