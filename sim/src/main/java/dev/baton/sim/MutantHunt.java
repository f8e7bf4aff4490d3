package dev.baton.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Breaks every rule once, as many at a time as there are cores, and looks whether the judge notices. */
public final class MutantHunt {

    /** Each mutant gets so many seeds to show itself in. */
    public static final long SEEDS = 4_000;

    private MutantHunt() {}

    /** What came of one mutant: the first outcome that shows it, if any does. */
    public record Catch(Mutant mutant, Optional<Outcome> outcome) {
        public boolean caught() {
            return outcome.isPresent();
        }
    }

    /**
     * Blocks until all mutants have run.
     *
     * @param progress hears of each mutant, in the order of {@link Mutant}
     */
    public static List<Catch> run(Consumer<Catch> progress) throws InterruptedException {
        try (ExecutorService cores =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<Catch>> hunts = Arrays.stream(Mutant.values())
                    .map(mutant -> cores.submit(() -> new Catch(mutant, mutant.caughtWithin(1, SEEDS))))
                    .toList();
            List<Catch> catches = new ArrayList<>();
            for (Future<Catch> hunt : hunts) {
                Catch done = catchOf(hunt);
                catches.add(done);
                progress.accept(done);
            }
            return catches;
        }
    }

    private static Catch catchOf(Future<Catch> hunt) throws InterruptedException {
        try {
            return hunt.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulator broke", e.getCause());
        }
    }
}
