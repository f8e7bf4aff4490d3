package dev.baton.duty.mempool;

import dev.baton.core.Hash;

/**
 * One change of one transaction.
 *
 * @param id they count 1, 2, 3 … without gaps
 * @param stage the one it entered; {@link Stage#ROLLED_BACK} means pending again, at the tail
 */
public record Event(long id, Hash hash, Stage stage) {}
