package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.util.List;

/**
 * What somebody submits. The pool looks into nothing of it.
 *
 * @param hash what the transaction is known by; how it is computed is the chain's affair
 * @param payload its bytes
 * @param conflictKeys what only one live transaction may have, such as the inputs that it spends
 */
public record Transaction(Hash hash, Bytes payload, List<Bytes> conflictKeys) {

    public Transaction {
        conflictKeys = List.copyOf(conflictKeys);
    }

    public Transaction(Hash hash, Bytes payload) {
        this(hash, payload, List.of());
    }
}
