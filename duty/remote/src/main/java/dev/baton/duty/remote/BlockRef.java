package dev.baton.duty.remote;

import dev.baton.core.Hash;

/** A block of the sequencer's chain, by number and hash. */
public record BlockRef(long number, Hash hash) {

    /** Before the first block. */
    public static final BlockRef NONE = new BlockRef(0, Hash.ZERO);

    public BlockRef {
        if (number < 0) {
            throw new IllegalArgumentException("block number: " + number + " (expected: 0 or more)");
        }
    }

    public boolean isNone() {
        return equals(NONE);
    }

    @Override
    public String toString() {
        return number + "/" + hash.toShortString();
    }
}
