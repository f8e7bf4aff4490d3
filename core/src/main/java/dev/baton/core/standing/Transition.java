package dev.baton.core.standing;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/**
 * One row of the transition table.
 *
 * @param when the guard in words; empty if the row always applies
 * @param to where the row may lead
 * @param does the effects in words
 */
public record Transition<S extends Standing, I extends Input>(
        Class<S> from,
        Class<I> on,
        String when,
        BiPredicate<S, I> guard,
        Set<Class<? extends Standing>> to,
        String does,
        BiFunction<S, I, Step> act) {

    public Transition {
        to = Set.copyOf(to);
    }

    boolean appliesTo(Standing now, Input input) {
        return from.isInstance(now) && on.isInstance(input) && guard.test(from.cast(now), on.cast(input));
    }

    Step take(Standing now, Input input) {
        return act.apply(from.cast(now), on.cast(input));
    }

    /** Whether the row does nothing at all. */
    public boolean isIgnored() {
        return to.isEmpty();
    }
}
