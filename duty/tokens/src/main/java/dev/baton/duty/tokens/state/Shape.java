package dev.baton.duty.tokens.state;

import dev.baton.core.Height;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.state.Decision.Refused;
import java.util.Optional;

/**
 * What never changes about a namespace: its tokens are {@code start}, {@code start + step} … up to {@code ceiling}.
 *
 * <p>Tokens are counted by their index, from 0 on, since an index below {@link #capacity()} never overflows.
 *
 * @param id its number in the ledger: 0, 1, 2 … in the order of creation
 * @param shards of how many this is one, or 0
 */
public record Shape(
        int id,
        String name,
        Guarantee guarantee,
        long start,
        long step,
        long ceiling,
        long maxCount,
        Height created,
        int shards) {

    /** The end of a range is its last token plus 1, and must be a number too. */
    public static final long HIGHEST_CEILING = Long.MAX_VALUE - 1;

    public Shape {
        String fault = start < 1
                ? "start: " + start + " (expected: 1 or more)"
                : step < 1
                        ? "step: " + step + " (expected: 1 or more)"
                        : ceiling < start || ceiling > HIGHEST_CEILING
                                ? "ceiling: " + ceiling + " (expected: " + start + ", which is the first token, to "
                                        + HIGHEST_CEILING + ")"
                                : maxCount < 1 ? "max-count: " + maxCount + " (expected: 1 or more)" : "";
        if (!fault.isEmpty()) {
            throw new IllegalArgumentException(fault);
        }
    }

    /** How many tokens there are in all. */
    public long capacity() {
        return (ceiling - start) / step + 1;
    }

    /** The token with this index, which must be below {@link #capacity()}. */
    public long token(long index) {
        return start + index * step;
    }

    /** The last token of a range plus 1. */
    public long end(long firstIndex, long count) {
        return token(firstIndex + count - 1) + 1;
    }

    /** Why nobody gets so many tokens at once here, whatever is left. */
    public Optional<Refused> refuses(long count, boolean acceptStep) {
        if (count > maxCount) {
            return Optional.of(new Refused(
                    Refusal.INVALID,
                    "count: " + count + " (expected: 1 to " + maxCount + ", the limit of " + name + ")"));
        }
        if (count > 1 && step > 1 && !acceptStep) {
            return Optional.of(new Refused(
                    Refusal.STEPPED,
                    "tokens of " + name + " lie " + step
                            + " apart (expected: a request for 1, or one that accepts it)"));
        }
        return Optional.empty();
    }

    public Refused frozen() {
        return new Refused(Refusal.FROZEN, name + " is frozen (expected: to be unfrozen first)");
    }

    public Refused exhausted(long count, long left) {
        return new Refused(
                Refusal.EXHAUSTED,
                "count: " + count + " (expected: " + left + " or less, which are left of " + name + " up to " + ceiling
                        + ")");
    }
}
