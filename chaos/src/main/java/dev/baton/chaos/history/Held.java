package dev.baton.chaos.history;

import java.util.List;

/**
 * A block, as a store or an engine holds it.
 *
 * @param parent the hash of the block before; empty if the source does not tell
 * @param epoch the epoch of the term that first proposed it
 * @param producer the node that held that term; empty if the source does not tell
 * @param count how many transactions are inside
 * @param transactions their hashes in order; empty if only their number was read
 */
public record Held(
        long height, String hash, String parent, long epoch, String producer, int count, List<String> transactions) {

    public Held {
        transactions = List.copyOf(transactions);
        if (!transactions.isEmpty() && transactions.size() != count) {
            throw new IllegalArgumentException("block " + height + ": " + transactions.size()
                    + " transaction hashes (expected: none, or all " + count + ")");
        }
    }

    /** Whether the hashes of its transactions are known. */
    public boolean isListed() {
        return count == transactions.size();
    }
}
