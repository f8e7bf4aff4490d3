package dev.baton.fence.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One at a time, among the threads of this process and among processes. It names whoever holds it.
 *
 * <p>The system takes a process's lock away as soon as that process closes <em>any</em> channel of the file. So whoever
 * wants the file first waits for its turn within this process, and nobody opens it, for whatever reason, out of turn.
 */
final class LockFile {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The system's lock keeps processes apart, not threads: for those there is one turn per file, by its real path. */
    private static final Map<Path, Semaphore> TURNS = new HashMap<>();

    /** Gives the lock back; more than once does no harm. */
    static final class Held implements AutoCloseable {
        private final FileChannel channel;
        private final Semaphore turn;
        private final AtomicBoolean given = new AtomicBoolean();

        private Held(FileChannel channel, Semaphore turn) {
            this.channel = channel;
            this.turn = turn;
        }

        @Override
        public void close() throws IOException {
            if (given.compareAndSet(false, true)) {
                try {
                    channel.close();
                } finally {
                    turn.release();
                }
            }
        }
    }

    private final Path file;

    LockFile(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    /** Waits for it no longer than that; the system offers no wait with an end, so it is asked again and again. */
    Held take(Duration patience) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        Semaphore turn = turn();
        if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            // not read from the file: that would close a channel of it
            throw busy(Long.toString(ProcessHandle.current().pid()), patience);
        }
        @Nullable FileChannel channel = null;
        boolean taken = false;
        try {
            channel = open();
            while (!isLocked(channel)) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    throw busy(owner(channel), patience);
                }
                TimeUnit.NANOSECONDS.sleep(RETRY_NANOS);
            }
            sign(channel);
            taken = true;
            return new Held(channel, turn);
        } finally {
            if (!taken) {
                giveUp(channel, turn);
            }
        }
    }

    /** Takes it if it is free. */
    Optional<Held> takeIfFree() throws IOException {
        Semaphore turn = turn();
        if (!turn.tryAcquire()) {
            return Optional.empty();
        }
        @Nullable FileChannel channel = null;
        boolean taken = false;
        try {
            channel = open();
            if (!isLocked(channel)) {
                return Optional.empty();
            }
            sign(channel);
            taken = true;
            return Optional.of(new Held(channel, turn));
        } finally {
            if (!taken) {
                giveUp(channel, turn);
            }
        }
    }

    /** Made here if it is missing, while nobody of this process can have it: making it closes a channel, too. */
    private Semaphore turn() throws IOException {
        synchronized (TURNS) {
            if (!Files.exists(file)) {
                try {
                    Files.createFile(file);
                } catch (FileAlreadyExistsException e) {
                    // another process was first
                }
            }
            return TURNS.computeIfAbsent(file.toRealPath(), first -> new Semaphore(1));
        }
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // something else in this process has it
        }
    }

    private static void sign(FileChannel channel) throws IOException {
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)), 0);
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(32);
        channel.read(pid, 0);
        return UTF_8.decode(pid.flip()).toString().strip();
    }

    private static void giveUp(@Nullable FileChannel channel, Semaphore turn) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            turn.release();
        }
    }

    private IOException busy(String pid, Duration patience) {
        return new IOException(file + " has been locked by process " + (pid.isEmpty() ? "unknown" : pid) + " for "
                + patience + " (expected: free by then; if that process hangs or is paused, end it)");
    }
}
