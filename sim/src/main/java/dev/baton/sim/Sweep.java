package dev.baton.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Runs many seeds, as many at once as there are cores; each seed's run stays deterministic. */
public final class Sweep {

    /** Runs that are under way or wait for a core; their number bounds what a long sweep keeps in memory. */
    private static final int AHEAD = 256;

    private Sweep() {}

    /** What came of all runs; failures in the order of their seeds. */
    public record Result(int runs, long committed, long terms, long faults, List<Outcome> failures) {
        public boolean passed() {
            return failures.isEmpty();
        }
    }

    /**
     * Blocks until all seeds have run.
     *
     * @param scenarios the worlds that a seed is run in
     * @param progress hears of each outcome as it comes, one at a time
     */
    public static Result run(
            LongFunction<List<Scenario>> scenarios, long firstSeed, long lastSeed, Consumer<Outcome> progress)
            throws InterruptedException {
        Tally tally = new Tally(progress);
        try (ExecutorService cores =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<Outcome>> batch = new ArrayList<>();
            for (long seed = firstSeed; seed <= lastSeed; seed++) {
                for (Scenario scenario : scenarios.apply(seed)) {
                    long thisSeed = seed;
                    batch.add(cores.submit(() -> Simulation.runQuietly(scenario, thisSeed)));
                }
                if (batch.size() >= AHEAD) {
                    int done = AHEAD / 2;
                    tally.take(batch.subList(0, done));
                    batch.subList(0, done).clear();
                }
            }
            tally.take(batch);
        }
        return tally.result();
    }

    private static final class Tally {

        private final Consumer<Outcome> progress;
        private final List<Outcome> failures = new ArrayList<>();
        private int runs;
        private long committed;
        private long terms;
        private long faults;

        Tally(Consumer<Outcome> progress) {
            this.progress = progress;
        }

        void take(List<Future<Outcome>> done) throws InterruptedException {
            for (Future<Outcome> run : done) {
                Outcome outcome = outcomeOf(run);
                runs++;
                committed += outcome.committed();
                terms += outcome.terms();
                faults += outcome.faults();
                if (!outcome.passed()) {
                    failures.add(outcome);
                }
                progress.accept(outcome);
            }
        }

        private static Outcome outcomeOf(Future<Outcome> run) throws InterruptedException {
            try {
                return run.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the simulator broke", e.getCause());
            }
        }

        Result result() {
            return new Result(runs, committed, terms, faults, List.copyOf(failures));
        }
    }
}
