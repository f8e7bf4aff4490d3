package dev.baton.duty.sequencer.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two processes, or two stores of one process, from writing to the same folder.
 *
 * <p>The system takes a process's lock away as soon as that process closes <em>any</em> channel of the file. So within one
 * process the file is never opened a second time.
 */
final class FolderLock implements Closeable {

    /** The lock files that this process has open, by their real paths. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final AtomicBoolean given = new AtomicBoolean();

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static FolderLock take(Path folder) throws IOException {
        Path file = folder.toRealPath().resolve("lock");
        if (!OPEN.add(file)) {
            throw inUse(folder);
        }
        boolean taken = false;
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                @Nullable FileLock lock = channel.tryLock();
                if (lock == null) {
                    throw inUse(folder);
                }
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

    private static StoreUnusableException inUse(Path folder) {
        return new StoreUnusableException(folder + ": another running node uses this folder; stop it, or"
                + " configure a folder of its own for each node");
    }

    /** Lets somebody else have the folder; more than once does no harm. */
    @Override
    public void close() throws IOException {
        if (given.compareAndSet(false, true)) {
            try {
                channel.close();
            } finally {
                OPEN.remove(file);
            }
        }
    }
}
