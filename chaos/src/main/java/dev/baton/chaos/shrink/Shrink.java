package dev.baton.chaos.shrink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Delta debugging (ddmin, Zeller and Hildebrandt): looks for a smaller list that still fails, until leaving out any
 * single element makes the failure go away. Each try is a run of its own, so no list is tried twice.
 */
public final class Shrink<T> {

    /**
     * What the search came to.
     *
     * @param smallest the shortest list that failed
     * @param tries how often it was tried
     * @param minimal whether nothing can be left out; if not, the search was stopped before
     */
    public record Outcome<T>(List<T> smallest, int tries, boolean minimal) {}

    private final Predicate<List<T>> fails;
    private final BooleanSupplier goOn;
    private final Map<List<T>, Boolean> known = new HashMap<>();
    private int tries;

    private Shrink(Predicate<List<T>> fails, BooleanSupplier goOn) {
        this.fails = fails;
        this.goOn = goOn;
    }

    /**
     * Searches from a list that failed.
     *
     * @param fails tries a part of the list, in the same order; true if it fails too
     * @param goOn asked before each try; false stops the search with the best so far
     */
    public static <T> Outcome<T> search(List<T> failing, Predicate<List<T>> fails, BooleanSupplier goOn) {
        return new Shrink<>(fails, goOn).from(List.copyOf(failing));
    }

    private Outcome<T> from(List<T> failing) {
        List<T> smallest = failing;
        int parts = 2;
        while (!smallest.isEmpty()) {
            if (smallest.size() == 1) {
                parts = 1;
            }
            List<List<T>> pieces = split(smallest, parts);
            Step<T> step = firstThatFails(smallest, pieces);
            switch (step) {
                case Step.Stopped<T> s -> {
                    return new Outcome<>(smallest, tries, false);
                }
                case Step.Subset<T>(List<T> found) -> {
                    smallest = found;
                    parts = 2;
                }
                case Step.Complement<T>(List<T> found) -> {
                    smallest = found;
                    parts = Math.max(parts - 1, 2);
                }
                case Step.None<T> n -> {
                    if (parts >= smallest.size()) {
                        return new Outcome<>(smallest, tries, true);
                    }
                    parts = Math.min(parts * 2, smallest.size());
                }
            }
        }
        return new Outcome<>(smallest, tries, true);
    }

    private sealed interface Step<T> {
        record Subset<T>(List<T> found) implements Step<T> {}

        record Complement<T>(List<T> found) implements Step<T> {}

        record None<T>() implements Step<T> {}

        record Stopped<T>() implements Step<T> {}
    }

    private Step<T> firstThatFails(List<T> whole, List<List<T>> pieces) {
        Set<List<T>> subsets = new LinkedHashSet<>(pieces);
        subsets.remove(whole);
        for (List<T> piece : subsets) {
            if (mustStop(piece)) {
                return new Step.Stopped<>();
            }
            if (failsNow(piece)) {
                return new Step.Subset<>(piece);
            }
        }
        for (int piece = 0; piece < pieces.size(); piece++) {
            List<T> rest = without(piece, pieces);
            if (mustStop(rest)) {
                return new Step.Stopped<>();
            }
            if (failsNow(rest)) {
                return new Step.Complement<>(rest);
            }
        }
        return new Step.None<>();
    }

    private boolean mustStop(List<T> part) {
        return !known.containsKey(part) && !goOn.getAsBoolean();
    }

    private boolean failsNow(List<T> part) {
        return known.computeIfAbsent(part, untried -> {
            tries++;
            return fails.test(untried);
        });
    }

    /** All pieces but one, by its place: the same element may be in the list twice. */
    private static <T> List<T> without(int piece, List<List<T>> pieces) {
        List<T> rest = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            if (i != piece) {
                rest.addAll(pieces.get(i));
            }
        }
        return List.copyOf(rest);
    }

    private static <T> List<List<T>> split(List<T> whole, int parts) {
        List<List<T>> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < parts; i++) {
            int to = (int) ((long) whole.size() * (i + 1) / parts);
            pieces.add(List.copyOf(whole.subList(from, to)));
            from = to;
        }
        return pieces;
    }
}
