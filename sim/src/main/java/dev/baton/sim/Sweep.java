package dev.baton.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs many seeds of a scenario, as many at once as there are cores; each seed's run stays deterministic. */
public final class Sweep {

    private Sweep() {}

    /** What came of all seeds; failures in the order of their seeds. */
    public record Result(int seeds, long committed, long terms, long faults, List<Outcome> failures) {
        public boolean passed() {
            return failures.isEmpty();
        }
    }

    /**
     * Blocks until all seeds have run.
     *
     * @param progress hears of each outcome as it comes, one at a time
     */
    public static Result run(Scenario scenario, long firstSeed, long lastSeed, Consumer<Outcome> progress)
            throws InterruptedException {
        List<Future<Outcome>> runs = new ArrayList<>();
        try (ExecutorService cores =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (long seed = firstSeed; seed <= lastSeed; seed++) {
                long thisSeed = seed;
                runs.add(cores.submit(() -> Simulation.run(scenario, thisSeed)));
            }
            return collect(runs, progress);
        }
    }

    private static Result collect(List<Future<Outcome>> runs, Consumer<Outcome> progress) throws InterruptedException {
        long committed = 0;
        long terms = 0;
        long faults = 0;
        List<Outcome> failures = new ArrayList<>();
        for (Future<Outcome> run : runs) {
            Outcome outcome = outcomeOf(run);
            committed += outcome.committed();
            terms += outcome.terms();
            faults += outcome.faults();
            if (!outcome.passed()) {
                failures.add(outcome);
            }
            progress.accept(outcome);
        }
        failures.sort(Comparator.comparingLong(Outcome::seed));
        return new Result(runs.size(), committed, terms, faults, List.copyOf(failures));
    }

    private static Outcome outcomeOf(Future<Outcome> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulator broke", e.getCause());
        }
    }
}
