package dev.baton.duty.mempool;

/** Where a transaction is in its life. */
public enum Stage {
    /** Waits to be propagated. */
    PENDING('P'),
    /** Claimed by a node that is propagating it. */
    PROPAGATED('G'),
    /** A peer has it. */
    ACKNOWLEDGED('A'),
    /** A block carries it. */
    CONFIRMED('C'),
    /** Enough blocks follow the one that carries it; the pool forgets it in the end. */
    FINALIZED('F'),
    /** Too many blocks came without it. It may be submitted again. */
    DROPPED('D'),
    /** Its block was taken back; it is pending again, at the tail. Only events have this stage. */
    ROLLED_BACK('R'),
    /** The pool does not know it, or no longer. */
    UNKNOWN('-');

    private final char letter;

    Stage(char letter) {
        this.letter = letter;
    }

    /** How records spell it: a rename in code must not change what is stored. */
    public char letter() {
        return letter;
    }

    public boolean isInflight() {
        return this == PROPAGATED || this == ACKNOWLEDGED || this == CONFIRMED;
    }

    public static Stage of(char letter) {
        for (Stage stage : values()) {
            if (stage.letter == letter) {
                return stage;
            }
        }
        throw new IllegalArgumentException("stage: " + letter + " (expected: one of PGACFDR-)");
    }
}
