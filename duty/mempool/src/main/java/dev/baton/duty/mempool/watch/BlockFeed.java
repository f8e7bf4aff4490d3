package dev.baton.duty.mempool.watch;

import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Point;
import java.io.IOException;
import java.time.Duration;

/**
 * Where a watcher learns what the chain says. It remembers nothing about its readers: they say where they are.
 *
 * <p>Used by one thread at a time.
 */
public interface BlockFeed extends AutoCloseable {

    /** What follows a place on the chain. */
    sealed interface Next {

        /** This block does; its parent is the place that was asked for. */
        record Found(ChainBlock block) implements Next {}

        /** That place is not on the chain any more: take the block there back, and ask from its parent. */
        record Undone() implements Next {}

        /** Nothing does yet. */
        record Nothing() implements Next {}

        /** The feed cannot tell, and waiting will not help. */
        record Lost(String why) implements Next {}
    }

    /** Waits up to {@code patience} for something to follow. */
    Next after(Point cursor, Duration patience) throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
}
