package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;

/**
 * A transaction that waits to be propagated.
 *
 * @param arrival its place in the order; also the cursor after it
 * @param receivedAtMillis the receiving node's wall clock, for people to read
 */
public record PendingTransaction(Hash hash, long arrival, Bytes payload, long receivedAtMillis) {}
