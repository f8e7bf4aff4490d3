package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.sequencer.block.Block;
import java.util.Optional;

/**
 * What the transactions do. Every node runs it over the same blocks, so it must be deterministic.
 *
 * <p>It keeps its state in memory: after a restart it sees all blocks again, from height 1 on.
 */
public interface BlockExecutor {

    /**
     * Executes the next block and returns the state root after it. Called one block at a time, in order. If it
     * throws, its state must be as before; it is called again with the same block. May block as long as a pulse may
     * take. On the holder, failing is a failure to work and costs the seat.
     */
    Hash execute(Block block) throws Exception;

    /** What makes this transaction one that no block should carry. Called on any thread, must not block. */
    default Optional<String> malformed(Bytes transaction) {
        return Optional.empty();
    }

    /** Checks that executing would work. An exception says that it would not. */
    default void probe() throws Exception {}
}
