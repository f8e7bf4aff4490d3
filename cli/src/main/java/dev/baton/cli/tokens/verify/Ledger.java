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

        /** Whether a range of that epoch is accounted for. */
        boolean covers(long start, long last, long epoch) {
            if (next.isPresent() && last >= next.getAsLong()) {
                return false;
            }
            return start < rememberedFrom
                    || stretches.stream()
                            .anyMatch(stretch ->
                                    stretch.epoch() == epoch && stretch.first() <= start && last < stretch.end());
        }
    }

    /**
     * What one term covered.
     *
     * @param end the last token plus 1
     */
    public record Stretch(long epoch, long first, long end) {}
}
