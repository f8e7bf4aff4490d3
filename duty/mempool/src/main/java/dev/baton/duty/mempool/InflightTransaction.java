package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.util.Optional;

/**
 * A transaction that was propagated, and what the chain says about it.
 *
 * @param arrival its place in the order; also the cursor after it
 * @param owner who claimed it last; empty if a block showed it before anybody did
 * @param confirmedAt the block that carries it
 */
public record InflightTransaction(
        Hash hash,
        long arrival,
        Stage stage,
        Bytes payload,
        String owner,
        long confirmations,
        long nonConfirmations,
        Optional<Point> confirmedAt) {}
