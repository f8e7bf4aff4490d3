package dev.baton.fence.file;

import dev.baton.fence.Fence;
import dev.baton.fence.FenceStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the highest fence in a file, for a service that must know it after a restart. The file is one process's alone. */
public final class FileFenceStore implements FenceStore, AutoCloseable {

    private final FenceFile file;
    private final FileChannel lock;

    private FileFenceStore(FenceFile file, FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    public static FileFenceStore open(Path file) throws IOException {
        FileChannel lock = FileChannel.open(
                file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(lock)) {
            lock.close();
            throw new IOException(file + " is in use (expected: one service per fence, because only it knows which"
                    + " requests are under way)");
        }
        return new FileFenceStore(new FenceFile(file), lock);
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public Optional<Fence> load() throws IOException {
        return file.read();
    }

    @Override
    public void save(Fence fence) throws IOException {
        file.write(fence);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
