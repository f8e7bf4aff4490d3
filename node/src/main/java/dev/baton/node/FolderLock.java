package dev.baton.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two processes, or two nodes of one process, out of one folder.
 *
 * <p>The system takes a process's lock away as soon as that process closes <em>any</em> channel of the file, one that was
 * opened only to look who has it, too. So within one process the file is never opened a second time.
 */
final class FolderLock implements AutoCloseable {

    /** The lock files that this process has open, by their real paths. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final AtomicBoolean given = new AtomicBoolean();

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Somebody has it already. */
    static final class InUse extends Exception {
        private final String pid;

        InUse(String pid) {
            super("in use by process " + pid);
            this.pid = pid;
        }

        /** Of the process that has it, as far as that is known. */
        String pid() {
            return pid.isEmpty() ? "unknown" : pid;
        }
    }

    static FolderLock take(Path folder) throws IOException, InUse {
        Path file = folder.toRealPath().resolve("lock");
        String self = Long.toString(ProcessHandle.current().pid());
        if (!OPEN.add(file)) {
            throw new InUse(self);
        }
        boolean taken = false;
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                @Nullable FileLock lock = channel.tryLock();
                if (lock == null) {
                    throw new InUse(owner(channel));
                }
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.US_ASCII)), 0);
                taken = true;
                return new FolderLock(file, channel);
            } finally {
                if (!taken) {
                    channel.close();
                }
            }
        } finally {
            if (!taken) {
                OPEN.remove(file);
            }
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(32);
        channel.read(pid, 0);
        return StandardCharsets.US_ASCII.decode(pid.flip()).toString().strip();
    }

    /** Lets somebody else have the folder; more than once does no harm. */
    @Override
    public void close() {
        if (given.compareAndSet(false, true)) {
            try {
                channel.close();
            } catch (IOException e) {
                // The lock goes with the process.
            } finally {
                OPEN.remove(file);
            }
        }
    }
}
