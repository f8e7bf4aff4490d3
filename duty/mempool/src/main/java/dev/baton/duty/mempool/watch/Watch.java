package dev.baton.duty.mempool.watch;

import dev.baton.duty.mempool.Assumed;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.duty.mempool.WatcherTerm;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term's watch: it brings the pool to where the chain is, block by block, from where the pool says it is.
 *
 * <p>What it knows itself it may forget at any moment. The pool keeps the cursor, and refuses whoever was replaced.
 */
final class Watch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MempoolDuty.class);

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofMillis(200);

    private final Mempool pool;
    private final BlockFeed feed;
    private final WatcherTerm term;
    private final BooleanSupplier holds;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile Point cursor;
    private volatile @Nullable String failure;
    private volatile boolean stopped;

    private Watch(Mempool pool, BlockFeed feed, WatcherTerm term, BooleanSupplier holds, Point cursor) {
        this.pool = pool;
        this.feed = feed;
        this.term = term;
        this.holds = holds;
        this.cursor = cursor;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("mempool-watch-" + term.epoch())
                .unstarted(this::watch);
    }

    /**
     * Raises the pool's fence, and only then reads where it is.
     *
     * @param holds whether the term still does; asked before each block
     */
    static Watch begin(Mempool pool, BlockFeed feed, WatcherTerm term, BooleanSupplier holds) {
        return switch (pool.assume(term)) {
            case Assumed.Watching(Point cursor, Optional<Point> unfinished) -> {
                LOG.info("acquired watcher lock as {} at block {}", term, cursor.number());
                Watch watch = new Watch(pool, feed, term, holds, cursor);
                watch.thread.start();
                yield watch;
            }
            case Assumed.Fenced(WatcherTerm shown, WatcherTerm stored) ->
                throw new IllegalStateException("the pool has seen " + stored + " (expected: at most " + shown + ")");
            case Assumed.OtherSeat(WatcherTerm shown, WatcherTerm stored) ->
                throw new IllegalStateException("the pool's watcher is " + stored + " (expected: the seat of " + shown
                        + "; give this seat a pool of its own, with another prefix)");
        };
    }

    WatcherTerm term() {
        return term;
    }

    /** Where the pool is. */
    Point cursor() {
        return cursor;
    }

    /** Throws if the last attempt to work failed. */
    void check() {
        String why = failure;
        if (why != null) {
            throw new IllegalStateException("the watcher does not get on: " + why);
        }
    }

    private void watch() {
        while (!stopped) {
            try {
                if (!turn()) {
                    return;
                }
                failure = null;
            } catch (UnavailableException | IOException e) {
                failure = e.getMessage();
                pause();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                String why = String.valueOf(e.getMessage());
                if (!why.equals(failure)) {
                    LOG.error("the watcher failed, and tries again", e);
                }
                failure = why;
                pause();
            }
        }
    }

    /** One block; false if this term is over. */
    private boolean turn() throws IOException, InterruptedException {
        BlockFeed.Next next = feed.after(cursor, PATIENCE);
        if (stopped || !holds.getAsBoolean()) {
            return false;
        }
        return switch (next) {
            case BlockFeed.Next.Found(ChainBlock block) -> follow(pool.confirm(term, block));
            case BlockFeed.Next.Undone() -> follow(pool.rollback(term, cursor));
            case BlockFeed.Next.Nothing() -> true;
            case BlockFeed.Next.Lost(String why) -> throw new IOException(why);
        };
    }

    private boolean follow(Confirmation confirmation) throws IOException {
        return switch (confirmation) {
            case Confirmation.Applied(Point now) -> at(now);
            case Confirmation.AlreadyApplied(Point now) -> at(now);
            case Confirmation.NotNext(Point now) -> at(now);
            case Confirmation.Applying(Point ignored) -> true;
            case Confirmation.Unfinished(Point ignored) -> true;
            case Confirmation.TooDeep(Point now) ->
                throw new IOException("block " + now + " cannot be taken back (expected: at most "
                        + pool.limits().maxRollback() + " blocks; the pool must be emptied)");
            case Confirmation.Fenced(WatcherTerm shown, WatcherTerm stored) -> {
                LOG.debug("lost watcher lock, skipping confirm: {} was here after {}", stored, shown);
                yield false;
            }
            case Confirmation.OtherSeat(WatcherTerm shown, WatcherTerm stored) -> {
                LOG.debug("lost watcher lock, skipping confirm: the pool is watched by {}, not {}", stored, shown);
                yield false;
            }
            case Confirmation.Skipped(String ignored) -> true;
        };
    }

    private boolean at(Point now) {
        cursor = now;
        return true;
    }

    private void pause() {
        lock.lock();
        try {
            long left = BEFORE_NEXT_TRY.toNanos();
            while (!stopped && left > 0) {
                left = ended.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            stopped = true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch. What is under way at the pool is refused there once a successor has come. */
    @Override
    public void close() {
        stopped = true;
        lock.lock();
        try {
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
