package dev.baton.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "handoff",
        description = {
            "Asks for tokens through the proxy, 200 times a second, while the seat is handed from node to node and"
                    + " holders are killed.",
            "Then compares rates with and without the proxy."
        },
        footer = {"%nExamples:", "  baton bench handoff --json", "  baton bench handoff --authority redis"})
final class HandoffCommand implements Callable<Integer> {

    private static final Map<String, Double> ADDED_AT_MOST_MILLIS =
            Map.of(BenchOutput.RAFT, 400.0, BenchOutput.REDIS, 150.0);
    private static final double HTTP_SHARE_AT_LEAST = 0.5;
    private static final double TCP_SHARE_AT_LEAST = 0.7;
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final LiveCluster.Starter starter;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--authority", description = "Only this engine: raft or redis. Default: both.")
    private Optional<String> authority = Optional.empty();

    @Option(names = "--rounds", defaultValue = "20", description = "How many handoffs. Default: ${DEFAULT-VALUE}.")
    private int rounds = 20;

    @Option(
            names = "--warm-rounds",
            defaultValue = "6",
            description = "How many handoffs before they count: processes that run for days have led before."
                    + " Default: ${DEFAULT-VALUE}.")
    private int warmRounds = 6;

    @Option(names = "--kills", defaultValue = "3", description = "How many kills. Default: ${DEFAULT-VALUE}.")
    private int kills = 3;

    @Option(
            names = "--overhead-rounds",
            defaultValue = "5",
            description = "How often each way is timed; 0 leaves it out. Default: ${DEFAULT-VALUE}.")
    private int overheadRounds = 5;

    @Option(
            names = "--overhead-millis",
            defaultValue = "1500",
            description = "How long each time. Default: ${DEFAULT-VALUE}.")
    private int overheadMillis = 1500;

    HandoffCommand(LiveCluster.Starter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        authority.ifPresent(output::requireKnown);
        List<String> engines = authority.map(List::of).orElse(List.of(BenchOutput.RAFT, BenchOutput.REDIS));
        boolean reached = true;
        Map<String, Object> found = new LinkedHashMap<>();
        for (String engine : engines) {
            try (LiveCluster cluster = starter.start(engine, "tokens", INTERVAL)) {
                output.progress("on " + engine);
                HandoffBench bench = new HandoffBench(cluster, output::progress);
                bench.prepare();
                bench.handedOff(warmRounds, rounds);
                reached &=
                        bench.failed() == 0 && bench.addedP99Millis() <= ADDED_AT_MOST_MILLIS.getOrDefault(engine, 0.0);
                if (kills > 0) {
                    reached &= bench.killed(kills, true);
                    reached &= bench.killed(kills, false);
                }
                found.put(engine, bench.found());
                if (overheadRounds > 0 && engine.equals(engines.getLast())) {
                    OverheadBench overhead = new OverheadBench(cluster, output::progress);
                    overhead.run(overheadRounds, overheadMillis);
                    reached &= overhead.share("http") >= HTTP_SHARE_AT_LEAST
                            && overhead.share("tcp") >= TCP_SHARE_AT_LEAST;
                    found.put("overhead", overhead.found());
                }
            }
        }
        Result result = new Result(reached);
        found.forEach(result::with);
        output.result(result.with(
                        "reach",
                        "no request fails in a handoff; added p99 at most 400 ms on raft, 150 ms on redis; kills fail at"
                                + " most what is under way; http at least 0.5 of direct, tcp 0.7")
                .with("perSecond", 200)
                .with("warmRounds", warmRounds)
                .with("intervalMillis", INTERVAL.toMillis()));
        return reached ? 0 : 1;
    }
}
