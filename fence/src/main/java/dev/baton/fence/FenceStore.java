package dev.baton.fence;

import java.io.IOException;
import java.util.Optional;

/**
 * Where a resource that is served by one process keeps the highest fence it has seen.
 *
 * <p>It is loaded once, at the start, and used by one thread at a time.
 */
public interface FenceStore {

    Optional<Fence> load() throws IOException;

    /** Blocks until the fence is as durable as this store keeps it. */
    void save(Fence fence) throws IOException;

    /** Forgets with its process; good for a resource that does the same. */
    static FenceStore inMemory() {
        return new FenceStore() {
            private Optional<Fence> highest = Optional.empty();

            @Override
            public Optional<Fence> load() {
                return highest;
            }

            @Override
            public void save(Fence fence) {
                highest = Optional.of(fence);
            }
        };
    }
}
