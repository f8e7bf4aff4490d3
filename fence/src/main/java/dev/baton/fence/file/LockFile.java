package dev.baton.fence.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One at a time, among the threads of this process and among processes. It names whoever holds it. */
final class LockFile {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The system's lock keeps processes apart, not threads: for those there is one lock per file. */
    private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    /** Gives the lock back. */
    record Held(FileChannel channel, ReentrantLock threads) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                threads.unlock();
            }
        }
    }

    private final Path file;
    private final ReentrantLock threads;

    LockFile(Path file) {
        this.file = file.toAbsolutePath().normalize();
        this.threads = THREADS.computeIfAbsent(this.file, ignored -> new ReentrantLock());
    }

    /** Waits for it no longer than that; the system offers no wait with an end, so it is asked again and again. */
    Held take(Duration patience) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        if (!threads.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw busy(patience);
        }
        @Nullable FileChannel channel = null;
        boolean taken = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            @Nullable FileLock lock = channel.tryLock();
            while (lock == null) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    throw busy(patience);
                }
                TimeUnit.NANOSECONDS.sleep(RETRY_NANOS);
                lock = channel.tryLock();
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
            taken = true;
            return new Held(channel, threads);
        } finally {
            if (!taken) {
                if (channel != null) {
                    channel.close();
                }
                threads.unlock();
            }
        }
    }

    private IOException busy(Duration patience) throws IOException {
        String pid = Files.exists(file) ? Files.readString(file, UTF_8).strip() : "";
        return new IOException(file + " has been locked by process " + (pid.isEmpty() ? "unknown" : pid) + " for "
                + patience + " (expected: free by then; if that process hangs or is paused, end it)");
    }
}
