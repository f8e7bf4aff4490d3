package dev.baton.fence.file;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A file that only the current holder of a seat changes, whichever process that is.
 *
 * <p>Beside {@code name} there are {@code name.fence}, the highest fence seen, and {@code name.lock}, which is held from
 * the check to the end of the write. The raise is on the disk before the write begins, so that a crash in between leaves
 * a higher fence and the old content. An append that a crash interrupts may leave a part of its bytes: write records
 * that tell their end, or use {@link #replace}, which is whole or not at all.
 *
 * <p>A process that is paused in the middle of a write keeps the lock, and its successor gives up after its patience
 * with a message that names the process: only its end helps. All processes must be on one machine, or on a file system
 * whose locks hold among machines.
 *
 * <p>Thread-safe. Everything is durable on return.
 */
public final class FencedFile {

    private final Path file;
    private final FenceFile fence;
    private final LockFile lock;
    private final Duration patience;

    private FencedFile(Path file, Duration patience) {
        this.file = file;
        this.patience = patience;
        this.fence = new FenceFile(file.resolveSibling(file.getFileName() + ".fence"));
        this.lock = new LockFile(file.resolveSibling(file.getFileName() + ".lock"));
    }

    /**
     * @param file need not exist, but its folder must
     * @param patience how long to wait for another process in the middle of its write
     */
    public static FencedFile at(Path file, Duration patience) {
        return new FencedFile(file.toAbsolutePath().normalize(), patience);
    }

    /** Only checks and raises: what a new holder does before it reads what its predecessor left. */
    public Admission admit(Fence shown) throws IOException, InterruptedException {
        return guarded(shown, () -> {});
    }

    public Admission append(Fence shown, ByteBuffer content) throws IOException, InterruptedException {
        return guarded(shown, () -> DurableFile.append(file, content));
    }

    public Admission replace(Fence shown, ByteBuffer content) throws IOException, InterruptedException {
        return guarded(shown, () -> DurableFile.replace(file, content));
    }

    public Optional<Fence> stored() throws IOException, InterruptedException {
        try (LockFile.Held held = lock.take(patience)) {
            return fence.read();
        }
    }

    private interface Write {
        void run() throws IOException;
    }

    private Admission guarded(Fence shown, Write write) throws IOException, InterruptedException {
        try (LockFile.Held held = lock.take(patience)) {
            Optional<Fence> stored = fence.read();
            Admission admission = shown.against(stored);
            if (admission.isAdmitted()) {
                if (!stored.equals(Optional.of(shown))) {
                    fence.write(shown);
                }
                write.run();
            }
            return admission;
        }
    }
}
