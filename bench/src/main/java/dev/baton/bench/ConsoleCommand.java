package dev.baton.bench;

import dev.baton.bench.console.ConsoleBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "console",
        description = {
            "Measures what a hundred open pages cost a leader, and how old their news is.",
            "With --soak also whether the leader and a page in Chromium keep their size at 10 blocks a second."
        })
final class ConsoleCommand implements Callable<Integer> {

    private static final Map<String, Double> AT_MOST = Map.of(
            "p99WithOverWithout", 1.1,
            "updateLagP99Millis", 250.0,
            "leaderMemoryLastOverFirst", 1.1,
            "pageMemoryLastOverFirst", 1.1);

    private final LiveCluster.Starter starter;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--quick", description = "Fewer and shorter rounds: at most 90 s in all.")
    private boolean quick;

    @Option(
            names = "--soak",
            defaultValue = "0s",
            description = "Then go on for so long and judge whether memory stays flat, such as 30m.")
    private String soak = "0s";

    ConsoleCommand(LiveCluster.Starter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("baton-bench");
        ConsoleBench bench = new ConsoleBench(output::progress);
        try {
            Duration longer = Duration.parse("PT" + soak);
            // More often than pages are told of blocks: it is the commits that are counted, and many are needed.
            try (LiveCluster cluster = starter.start("raft", "sequencer", Duration.ofMillis(20))) {
                bench.compare(cluster, quick ? 1 : 6, quick ? 4 : 24);
                if (!longer.isZero()) {
                    bench.fill(cluster);
                    cluster.restart(Duration.ofMillis(100));
                    bench.soak(cluster, longer, folder);
                }
            }
            ConsoleBench.Outcome outcome = bench.outcome();
            List<String> missed = new ArrayList<>();
            Map<String, Object> ratios = new LinkedHashMap<>();
            outcome.reached().forEach((name, value) -> {
                double bound = AT_MOST.getOrDefault(name, Double.NaN);
                ratios.put(name, value);
                if (!(value <= bound)) {
                    missed.add(name + ": " + value + " (expected: at most " + bound + ")");
                }
            });
            Result result = new Result(missed.isEmpty())
                    .with("ratios", ratios)
                    .with("reach", AT_MOST)
                    .with("missed", missed);
            outcome.fields().forEach(result::with);
            output.result(result);
            return missed.isEmpty() ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }
}
