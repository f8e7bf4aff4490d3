package dev.baton.duty.mempool;

import dev.baton.core.Hash;
import java.util.Optional;

/**
 * A transaction that the pool is done with.
 *
 * @param number its place in the order; also the cursor after it
 * @param stage {@link Stage#FINALIZED} or {@link Stage#DROPPED}
 * @param confirmedAt the block that carries it, unless it was dropped
 * @param endedBy the block that decided
 */
public record FinalizedTransaction(
        Hash hash, long number, Stage stage, long confirmations, Optional<Point> confirmedAt, Point endedBy) {}
