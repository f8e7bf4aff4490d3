package dev.baton.duty.mempool.redis;

import dev.baton.duty.mempool.UnavailableException;
import io.lettuce.core.RedisException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells subscribers of this node that something happened, by one connection that waits at the end of the stream; however
 * many subscribers there are, Redis is asked once. It is connected when the first one comes.
 */
final class Bell implements AutoCloseable {

    private static final Duration TURN = Duration.ofMillis(500);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofMillis(200);

    private final Lines lines;
    private final byte[] stream;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private @Nullable Thread thread;
    private long heard;
    private volatile boolean closed;

    Bell(Lines lines, byte[] stream) {
        this.lines = lines;
        this.stream = stream;
    }

    void ring() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = Thread.ofPlatform().daemon().name("mempool-bell").start(this::listen);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A number that changes when something happens. */
    long heard() {
        lock.lock();
        try {
            return heard;
        } finally {
            lock.unlock();
        }
    }

    void await(long since, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // A bell that is out of order must not keep anybody waiting for long.
            long left = Math.min(nanos, TURN.toNanos());
            while (heard == since && left > 0 && !closed) {
                left = rung.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void listen() {
        String last = "$";
        while (!closed) {
            try (StatefulRedisConnection<byte[], byte[]> line = lines.connect()) {
                line.setTimeout(TURN.multipliedBy(4));
                while (!closed) {
                    last = listen(line, last);
                }
            } catch (RedisException | UnavailableException e) {
                pause();
            }
        }
    }

    @SuppressWarnings("unchecked") // Lettuce takes offsets of a generic type as variable arguments
    private String listen(StatefulRedisConnection<byte[], byte[]> line, String last) {
        List<StreamMessage<byte[], byte[]>> found =
                line.sync().xread(XReadArgs.Builder.block(TURN).count(1000), XReadArgs.StreamOffset.from(stream, last));
        if (found.isEmpty()) {
            return last;
        }
        lock.lock();
        try {
            heard++;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
        return found.getLast().getId();
    }

    private void pause() {
        lock.lock();
        try {
            long left = BEFORE_NEXT_TRY.toNanos();
            while (!closed && left > 0) {
                left = rung.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
