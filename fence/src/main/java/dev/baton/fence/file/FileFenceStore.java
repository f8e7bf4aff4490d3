package dev.baton.fence.file;

import dev.baton.fence.Fence;
import dev.baton.fence.FenceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Keeps the highest fence in a file, for a service that must know it after a restart. The file is one process's alone. */
public final class FileFenceStore implements FenceStore, AutoCloseable {

    private final FenceFile file;
    private final LockFile.Held lock;

    private FileFenceStore(FenceFile file, LockFile.Held lock) {
        this.file = file;
        this.lock = lock;
    }

    public static FileFenceStore open(Path file) throws IOException {
        LockFile.Held lock = new LockFile(file.resolveSibling(file.getFileName() + ".lock"))
                .takeIfFree()
                .orElseThrow(() -> new IOException(file + " is in use (expected: one service per fence, because only it"
                        + " knows which requests are under way)"));
        return new FileFenceStore(new FenceFile(file), lock);
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
