package dev.baton.duty.tokens;

import dev.baton.core.Height;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A namespace as the ledger knows it.
 *
 * @param next the next token that no entry covers; absent if none is left
 * @param reserved how many tokens the ledger covers
 * @param shards of how many this is one; absent if it is none
 */
public record NamespaceView(
        String name,
        Guarantee guarantee,
        long start,
        long step,
        long ceiling,
        long maxCount,
        boolean frozen,
        OptionalLong next,
        long reserved,
        Height created,
        OptionalInt shards) {}
