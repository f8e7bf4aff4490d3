package dev.baton.bench.mempool;

import dev.baton.bench.tokens.Children;
import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import dev.baton.duty.mempool.local.LocalMempool;
import dev.baton.duty.mempool.redis.RedisMempool;
import dev.baton.duty.mempool.redis.RedisMempoolSettings;
import dev.baton.duty.mempool.watch.FileFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Two node processes, a chain that grows and now and then rolls back, and watchers that are killed and frozen meanwhile;
 * beside it one pool in memory that is told the same and that nothing happens to. Both must say the same in the end.
 */
public final class FailoverRun implements AutoCloseable {

    /** What came of it: what was wrong, and the numbers. */
    public record Outcome(List<String> wrong, Map<String, Object> fields) {}

    private static final Duration BLOCK_INTERVAL = Duration.ofMillis(200);
    private static final Duration CLAIM_LEASE = Duration.ofHours(1);
    private static final WatcherTerm REFERENCE = new WatcherTerm(SeatId.of("bench", "reference"), new Epoch(1));

    /** One in so many is never carried by a block, so it has to be dropped. */
    private static final int NEVER_CARRIED = 7;

    private static final int ROLLBACK_EVERY = 15;
    private static final int DROP_AFTER = 80;

    /** A chain further ahead than this could drop what its next block carries, because blocks are counted from the claim. */
    private static final int MOST_BEHIND = 40;

    private final Duration time;
    private final int count;
    private final Consumer<String> progress;
    private final Children children;
    private final Path chain;
    private final MempoolLimits limits;
    private final Mempool reference;
    private final List<Hash> all = new ArrayList<>();
    private List<Hash> toCarry = new ArrayList<>();
    private Point head = Point.ORIGIN;
    private int submittedElsewhere;
    private int rollbacks;

    public FailoverRun(Path folder, Duration time, int count, Consumer<String> progress) throws IOException {
        this.time = time;
        this.count = count;
        this.progress = progress;
        this.children = new Children(folder);
        this.chain = children.folder("chain").resolve("blocks");
        // Slices smaller than a block, so that watchers die in the middle of one.
        this.limits = new MempoolLimits(6, DROP_AFTER, 1000, 1_000_000, 2 * count, 1_000_000, 100, 10);
        this.reference = LocalMempool.inMemory(limits, InstantSource.system());
    }

    /** Blocks until every transaction has ended, and compares. */
    public Outcome run() throws IOException, InterruptedException {
        WatcherNodes nodes = WatcherNodes.start(children, chain, limits);
        try (Mempool pool = RedisMempool.open(RedisMempoolSettings.at(nodes.poolUrl()), limits)) {
            WatcherFaults faults = new WatcherFaults(nodes, pool, progress);
            long endNanos = System.nanoTime() + time.toNanos();
            CompletableFuture<Void> hurting = CompletableFuture.runAsync(() -> hurt(faults, endNanos));
            work(nodes, pool, faults, hurting);
            for (int i = 0; i < DROP_AFTER + limits.finalizeAfter() + 1; i++) {
                grow(List.of());
            }
            WatcherFaults.await("the last block", () -> pool.stats().cursor().equals(head));
            List<String> wrong = new Endings(pool, reference, all).differences();
            return new Outcome(wrong, fields(nodes, pool, faults));
        }
    }

    private static void hurt(WatcherFaults faults, long endNanos) {
        try {
            faults.goOnUntil(endNanos);
        } catch (IOException e) {
            throw new IllegalStateException("a fault could not be made: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Submits a few, claims them, and lets the next block carry the few before; again and again. */
    private void work(WatcherNodes nodes, Mempool pool, WatcherFaults faults, CompletableFuture<Void> hurting)
            throws IOException, InterruptedException {
        long steps = Math.max(1, time.dividedBy(BLOCK_INTERVAL));
        int each = (int) Math.max(1, Math.ceilDiv(count, steps));
        for (int step = 0; all.size() < count || !hurting.isDone(); step++) {
            long nextNanos = System.nanoTime() + BLOCK_INTERVAL.toNanos();
            List<Hash> batch = submit(nodes, faults, step % WatcherNodes.NODES, Math.min(each, count - all.size()));
            claim(pool, batch);
            claim(reference, batch);
            List<Hash> carried = toCarry;
            toCarry = carriedOf(batch, all.size() - batch.size());
            grow(carried);
            if (step % ROLLBACK_EVERY == ROLLBACK_EVERY - 1) {
                replaceHead(carried);
            }
            WatcherFaults.await(
                    "the pool to follow the chain",
                    () -> head.number() - pool.stats().cursor().number() <= MOST_BEHIND);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, nextNanos - System.nanoTime()));
        }
        grow(toCarry);
        try {
            hurting.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(String.valueOf(e.getMessage()), e);
        }
    }

    private static List<Hash> carriedOf(List<Hash> batch, int firstNumber) {
        List<Hash> carried = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if ((firstNumber + i) % NEVER_CARRIED != 0) {
                carried.add(batch.get(i));
            }
        }
        return carried;
    }

    private List<Hash> submit(WatcherNodes nodes, WatcherFaults faults, int first, int howMany)
            throws InterruptedException {
        List<Hash> batch = new ArrayList<>();
        for (int i = 0; i < howMany; i++) {
            Bytes payload = Bytes.utf8("transaction " + all.size());
            Transaction next = new Transaction(Hash.sha256(payload), payload);
            faults.submitting().lock();
            try {
                hand(nodes, faults, first, payload);
            } finally {
                faults.submitting().unlock();
            }
            if (!(reference.receive(next) instanceof Received.Accepted)) {
                throw new IllegalStateException("transaction " + all.size() + ": refused (expected: accepted)");
            }
            batch.add(next.hash());
            all.add(next.hash());
        }
        return batch;
    }

    /** As any client would: what one node does not answer is handed to the other, which may know it already. */
    private void hand(WatcherNodes nodes, WatcherFaults faults, int first, Bytes payload) throws InterruptedException {
        int node = faults.awake(first);
        int[] at = {node};
        WatcherFaults.await("a node to take a transaction", () -> {
            try {
                int code = nodes.submit(at[0], payload.toArray());
                if (code == 200 || code == 409) {
                    return true;
                }
            } catch (IOException e) {
                submittedElsewhere++;
            }
            at[0] = faults.awake(1 - at[0]);
            return false;
        });
    }

    private static void claim(Mempool pool, List<Hash> batch) {
        List<Hash> claimed = pool.markInflight("propagator", CLAIM_LEASE, batch);
        pool.markAcknowledged(claimed.subList(0, claimed.size() / 2));
    }

    private void grow(List<Hash> carried) throws IOException {
        Point next = point(head.number() + 1, "main");
        reference.confirm(REFERENCE, new ChainBlock(next, head, carried));
        FileFeed.append(chain, next, carried);
        head = next;
    }

    /** Another block at the same height, with the same in it. */
    private void replaceHead(List<Hash> carried) throws IOException {
        rollbacks++;
        reference.rollback(REFERENCE, head);
        FileFeed.undo(chain);
        Point before = reference.stats().cursor();
        Point fork = point(head.number(), "fork");
        reference.confirm(REFERENCE, new ChainBlock(fork, before, carried));
        FileFeed.append(chain, fork, carried);
        head = fork;
    }

    private static Point point(long number, String branch) {
        return new Point(number, Hash.sha256(Bytes.utf8(branch + number)));
    }

    private Map<String, Object> fields(WatcherNodes nodes, Mempool pool, WatcherFaults faults) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        List<Double> takeovers = faults.takeoverMillis().stream().sorted().toList();
        fields.put("seconds", time.toSeconds());
        fields.put("transactions", all.size());
        fields.put("blocks", head.number());
        fields.put("rollbacks", rollbacks);
        fields.put("killed", faults.killed());
        fields.put("frozen", faults.frozen());
        fields.put("takeoverMillisMedian", takeovers.isEmpty() ? 0 : takeovers.get(takeovers.size() / 2));
        fields.put("takeoverMillisWorst", takeovers.isEmpty() ? 0 : takeovers.getLast());
        fields.put("submittedElsewhere", submittedElsewhere);
        fields.put("fencedConfirms", pool.stats().fencedConfirms());
        fields.put("acquiredLines", nodes.logged("acquired watcher lock"));
        fields.put("lostLines", nodes.logged("lost watcher lock, skipping confirm"));
        return fields;
    }

    @Override
    public void close() throws InterruptedException {
        children.close();
    }
}
