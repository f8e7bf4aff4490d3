package dev.baton.duty.sequencer.block;

import dev.baton.core.Entry;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;

/** A ledger entry read as a block: the block's number is the entry's height, and its hash the entry's hash. */
public record Block(Entry entry, BlockBody body) {

    /** Reads the entry's payload; one that is not a block's is refused with an {@link IllegalArgumentException}. */
    public static Block of(Entry entry) {
        try {
            return new Block(entry, BlockBodyCodec.decode(entry.payload()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(entry + " is not a block: " + e.getMessage(), e);
        }
    }

    public Height height() {
        return entry.height();
    }

    public Hash hash() {
        return entry.hash();
    }

    public Hash parent() {
        return entry.parent();
    }

    public Head asHead() {
        return entry.asHead();
    }

    @Override
    public String toString() {
        return "block " + asHead() + " of " + body.transactions().size() + " transactions";
    }
}
