package dev.baton.core.standing;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** A row of the transition table in the making, so that the table reads as sentences. */
final class RowBuilder<S extends Standing, I extends Input> {

    private final Class<S> from;
    private final Class<I> on;
    private final Consumer<Transition<S, I>> finished;
    private String when = "";
    private BiPredicate<S, I> guard = (now, in) -> true;
    private Set<Class<? extends Standing>> to = Set.of();

    RowBuilder(Class<S> from, Class<I> on, Consumer<Transition<S, I>> finished) {
        this.from = from;
        this.on = on;
        this.finished = finished;
    }

    RowBuilder<S, I> when(String words, BiPredicate<S, I> test) {
        this.when = words;
        this.guard = test;
        return this;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    final RowBuilder<S, I> to(Class<? extends Standing>... standings) {
        this.to = Set.of(standings);
        return this;
    }

    void does(String words, BiFunction<S, I, Step> act) {
        finished.accept(new Transition<>(from, on, when, guard, to, words, act));
    }
}
