package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;

/** What became of a submission. */
public sealed interface Received {

    /** It is in the pool, pending, and whoever asks any node for it is told so. */
    record Accepted(Hash hash, long arrival) implements Received {}

    /** It is in the pool already. */
    record Duplicate(Hash hash, Stage stage) implements Received {}

    /** Another live transaction has one of its conflict keys: a double spend, as a rule. */
    record Conflict(Hash hash, Bytes key, Hash holder) implements Received {}

    /** The pool takes no more for now; the same submission may succeed later. */
    record Full(Hash hash, long pending, long limit) implements Received {}
}
