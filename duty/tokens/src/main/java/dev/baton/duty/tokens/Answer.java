package dev.baton.duty.tokens;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import java.util.Optional;

/** What came of a request for tokens. */
public sealed interface Answer {

    /**
     * Tokens that nobody else ever gets: {@code start}, {@code start + step} … below {@code end}.
     *
     * @param end the last token plus 1
     * @param revision grows with every term, never decreases
     * @param height the entry that covers them
     * @param duplicate whether the same request was answered so before
     */
    record Handed(
            String namespace,
            long start,
            long end,
            long step,
            long revision,
            Epoch epoch,
            Height height,
            boolean duplicate)
            implements Answer {}

    /** Nothing was reserved, and the same request will not fare better by itself, except where the reason says so. */
    record Refused(Refusal reason, String message) implements Answer {}

    /** This node does not hold the seat; who does, if it is known, serves tokens at that address. */
    record NotHolder(Optional<String> address) implements Answer {}

    /** The term ended before the commit was known: asked again with the same id, the answer will be right. */
    record Unknown(String why, Optional<String> address) implements Answer {}
}
