package dev.baton.seat;

/** How much of the ledger the engine keeps; what lies below the newest checkpoint and beyond these is trimmed. */
public record LedgerLimits(int entries, long bytes) {
    public static final LedgerLimits DEFAULT = new LedgerLimits(10_000, 256L << 20);
}
