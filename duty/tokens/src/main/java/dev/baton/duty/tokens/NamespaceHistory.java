package dev.baton.duty.tokens;

import java.util.List;

/**
 * Where the tokens of a namespace went, term by term, oldest first.
 *
 * @param rememberedFrom tokens below this one belong to stretches that have been forgotten
 */
public record NamespaceHistory(String name, List<Stretch> stretches, long rememberedFrom) {
    public NamespaceHistory {
        stretches = List.copyOf(stretches);
    }
}
