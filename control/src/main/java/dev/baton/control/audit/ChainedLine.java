package dev.baton.control.audit;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;

/**
 * A record in its place: each hash covers the one before, so that nothing can be changed, taken out or put elsewhere
 * without changing every hash after it.
 *
 * <p>INV-21: records are numbered 1, 2, 3 … in the order in which the ledger of the seat "control" committed them, the
 * same on every node, and the hash of each is SHA-256 over the hash before it, its number and its own text.
 */
public record ChainedLine(long number, String hash, String json) {

    /** What comes before the first record. */
    static final String BEGINNING = "0".repeat(64);

    static ChainedLine after(long count, String tip, String json) {
        long number = count + 1;
        Bytes covered = Bytes.utf8(tip + "\n" + number + "\n" + json + "\n");
        return new ChainedLine(
                number, Bytes.copyOf(Hash.sha256(covered).asBuffer()).toHex(), json);
    }

    boolean follows(long count, String tip) {
        return equals(after(count, tip, json));
    }

    public String toText() {
        return number + " " + hash + " " + json;
    }

    /** Reads what {@link #toText} wrote; anything else is an {@link IllegalArgumentException}. */
    public static ChainedLine ofText(String text) {
        String[] parts = text.split(" ", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a line of the book: " + text);
        }
        return new ChainedLine(Long.parseLong(parts[0]), parts[1], parts[2]);
    }
}
