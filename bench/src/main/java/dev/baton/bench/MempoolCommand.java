package dev.baton.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "mempool",
        description = "Measures a mempool on one Redis: receiving beside bare writes, and how it bears its size.")
final class MempoolCommand implements Callable<Integer> {

    private static final List<Reach> REACHES = List.of(
            new Reach("receiveOverBare", 0.6, false),
            new Reach("statusFlatPending", 1.2, true),
            new Reach("statusFlatFinalized", 1.2, true),
            new Reach("markInflightFlat", 1.2, true),
            new Reach("confirmServerMillis", 50, true),
            new Reach("longestSliceMillis", 5, true));

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--quick", description = "Fewer rounds: at most 45 s in all.")
    private boolean quick;

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("baton-bench");
        try (MempoolBench bench = new MempoolBench(folder, quick, output::progress)) {
            MempoolBench.Outcome outcome = bench.run();
            List<String> missed = new ArrayList<>();
            Map<String, Object> ratios = new LinkedHashMap<>();
            for (Reach reach : REACHES) {
                double value = outcome.ratios().getOrDefault(reach.name(), Double.NaN);
                ratios.put(reach.name(), value);
                if (!reach.isReachedBy(value)) {
                    missed.add(reach.name() + ": " + value + " (expected: " + reach.words() + ")");
                }
            }
            Result result = new Result(missed.isEmpty())
                    .with("ratios", ratios)
                    .with("reach", REACHES.stream().map(Reach::toString).toList())
                    .with("missed", missed);
            outcome.fields().forEach(result::with);
            output.result(result);
            return missed.isEmpty() ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }

    /** A number that is to be reached. */
    private record Reach(String name, double bound, boolean atMost) {

        /** Not a number is never reached. */
        boolean isReachedBy(double value) {
            return atMost ? value <= bound : value >= bound;
        }

        String words() {
            return (atMost ? "at most " : "at least ") + bound;
        }

        @Override
        public String toString() {
            return name + " " + words();
        }
    }
}
