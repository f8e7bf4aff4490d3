package dev.baton.duty.remote;

import dev.baton.core.Hash;

/** What a sequencer has at the number of the block that was asked for. */
public sealed interface Ancestor {

    record Has(Hash hash) implements Ancestor {}

    record Lacks() implements Ancestor {}

    /** The sequencer does not answer such questions. */
    record CannotTell() implements Ancestor {}
}
