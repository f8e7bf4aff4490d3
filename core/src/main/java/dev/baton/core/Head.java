package dev.baton.core;

/** The last committed entry of a ledger, by height and hash. */
public record Head(Height height, Hash hash) {

    /** The head of a ledger without entries. */
    public static final Head GENESIS = new Head(Height.ZERO, Hash.ZERO);

    public boolean isGenesis() {
        return height.equals(Height.ZERO);
    }

    @Override
    public String toString() {
        return height + "/" + hash.toShortString();
    }
}
