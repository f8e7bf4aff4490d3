package dev.baton.duty.tokens.state;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.Refusal;

/** What will come of a request once the batch that it is in is committed; void if that never happens. */
public sealed interface Decision {

    /** Tokens that this batch reserves; {@code repeated} if an earlier request of the same batch has the same id. */
    record Reserved(Shape shape, long firstIndex, long count, boolean repeated) implements Decision {}

    /** A retry: the tokens were reserved by an earlier entry. */
    record Known(Shape shape, long firstIndex, long count, Epoch epoch, Height height) implements Decision {}

    /** A leased namespace: the answer comes out of memory, not out of this batch. */
    record FromLease(Shape shape) implements Decision {}

    record Refused(Refusal reason, String message) implements Decision {}
}
