package dev.baton.cli.tokens.verify;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a cluster says about its namespaces.
 *
 * @param height up to where it knows the ledger
 */
public record Ledger(long height, Map<String, Coverage> namespaces) {

    public Ledger {
        namespaces = Map.copyOf(namespaces);
    }

    /**
     * What the ledger covers of a namespace.
     *
     * @param next the first token that it does not cover; absent if it covers all there are
     * @param rememberedFrom the stretches of tokens below this one have been forgotten
     */
    public record Coverage(OptionalLong next, long rememberedFrom, List<Stretch> stretches) {

        public Coverage {
            stretches = List.copyOf(stretches);
        }

        /** Whether a range of that epoch is accounted for. A range is one term's, and so are the stretches. */
        Account of(long start, long last, long epoch) {
            if (next.isPresent() && last >= next.getAsLong()) {
                return Account.MISSING;
            }
            boolean stands = stretches.stream()
                    .anyMatch(stretch -> stretch.epoch() == epoch && stretch.first() <= start && last < stretch.end());
            if (stands) {
                return Account.COVERED;
            }
            return last < rememberedFrom ? Account.FORGOTTEN : Account.MISSING;
        }
    }

    /** What the ledger says of one range. */
    enum Account {
        /** The term that it names covered it. */
        COVERED,
        /** It would be there if it had been committed. */
        MISSING,
        /** It is older than what the ledger remembers, so that nobody can tell. */
        FORGOTTEN
    }

    /**
     * What one term covered.
     *
     * @param end the last token plus 1
     */
    public record Stretch(long epoch, long first, long end) {}
}
