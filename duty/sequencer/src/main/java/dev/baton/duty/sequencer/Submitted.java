package dev.baton.duty.sequencer;

import dev.baton.core.Hash;
import dev.baton.core.Height;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What came of submitting a transaction. */
public sealed interface Submitted {

    /**
     * The transaction is committed, in this block and no other.
     *
     * @param index its place within the block, beginning at 0
     * @param duplicate it had been submitted before, and this is where it went then
     */
    record Accepted(Height height, int index, Hash transaction, Hash block, boolean duplicate) implements Submitted {

        Accepted asDuplicate() {
            return new Accepted(height, index, transaction, block, true);
        }
    }

    /** The transaction was not taken, and is in no block because of this submission. */
    record Rejected(Reason reason, String message) implements Submitted {}

    /**
     * This node does not hold the seat, and the transaction was not taken.
     *
     * @param addressOrNull where the holder can be reached, if this node knows it
     */
    record NotHolder(@Nullable String addressOrNull) implements Submitted {

        public Optional<String> address() {
            return Optional.ofNullable(addressOrNull);
        }
    }

    /** The transaction may be in a block, now or later. Submitting it again tells: duplicates are recognised. */
    record Unknown(String why) implements Submitted {}

    /** Why a transaction was not taken. */
    enum Reason {
        EMPTY,
        TOO_LARGE,
        MALFORMED,
        /** Too many wait; the same transaction may be taken later. */
        POOL_FULL
    }
}
