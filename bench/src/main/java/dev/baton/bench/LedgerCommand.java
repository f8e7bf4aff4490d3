package dev.baton.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "ledger", description = "Measures an append at a low and at a great height, beside the engine's floor.")
final class LedgerCommand implements Callable<Integer> {

    private static final double RAFT_FLAT_AT_MOST = 1.2;

    private static final List<Reach> REDIS_REACHES = List.of(
            new Reach("appendOverFloor", RedisLedgerBench.Arm.LOW, RedisLedgerBench.Arm.FLOOR, 1.25, true),
            new Reach("flat", RedisLedgerBench.Arm.HIGH, RedisLedgerBench.Arm.LOW, 1.15, true),
            new Reach("scanOverAppend", RedisLedgerBench.Arm.SCAN, RedisLedgerBench.Arm.WIDE, 50, false),
            new Reach("halfAlive", RedisLedgerBench.Arm.HALF_ALIVE, RedisLedgerBench.Arm.LOW, 1.15, true),
            new Reach("fiveOverThree", RedisLedgerBench.Arm.FIVE, RedisLedgerBench.Arm.LOW, 1.7, true));

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(
            names = "--authority",
            defaultValue = "raft",
            description = "The engine: raft or redis. Default: ${DEFAULT-VALUE}.")
    private String authority = "raft";

    @Option(names = "--low", defaultValue = "100", description = "The low height. Default: ${DEFAULT-VALUE}.")
    private long low = 100;

    @Option(names = "--high", defaultValue = "100000", description = "The great height. Default: ${DEFAULT-VALUE}.")
    private long high = 100_000;

    @Option(
            names = "--rounds",
            defaultValue = "21",
            description = "How often the arms take turns. Default: ${DEFAULT-VALUE}.")
    private int rounds = 21;

    @Option(names = "--payload", defaultValue = "1024", description = "Bytes in an entry. Default: ${DEFAULT-VALUE}.")
    private int payload = 1024;

    @Override
    public Integer call() throws Exception {
        output.requireKnown(authority);
        Path folder = Files.createTempDirectory("baton-bench");
        try {
            boolean reached = authority.equals(BenchOutput.REDIS) ? onRedis(folder) : onRaft(folder);
            return reached ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }

    private boolean onRaft(Path folder) throws Exception {
        try (RaftLedgerBench bench = new RaftLedgerBench(folder, output::progress)) {
            RaftLedgerBench.Outcome outcome = bench.run(low, high, rounds, payload);
            boolean reached = outcome.flat() <= RAFT_FLAT_AT_MOST;
            output.result(described(new Result(reached)
                    .with("ratios", Map.of("flat", outcome.flat(), "appendOverFloor", outcome.overFloor()))
                    .with("flatByRound", outcome.flatByRound())
                    .with("low", outcome.shortLedger().summaryWithP99())
                    .with("high", outcome.longLedger().summaryWithP99())
                    .with("floor", outcome.floor().summaryWithP99())));
            return reached;
        }
    }

    private boolean onRedis(Path folder) throws Exception {
        try (RedisLedgerBench bench = new RedisLedgerBench(folder, output::progress)) {
            RedisLedgerBench.Outcome outcome = bench.run(low, high, rounds, payload);
            Map<String, Object> ratios = new LinkedHashMap<>();
            Map<String, Object> byRound = new LinkedHashMap<>();
            boolean reached = true;
            for (Reach reach : REDIS_REACHES) {
                double ratio = outcome.ratio(reach.over(), reach.under());
                ratios.put(reach.name(), ratio);
                byRound.put(reach.name(), outcome.ratios(reach.over(), reach.under()));
                reached &= reach.isReachedBy(ratio);
            }
            output.result(described(new Result(reached)
                    .with("ratios", ratios)
                    .with("reach", REDIS_REACHES.stream().map(Reach::toString).toList())
                    .with("arms", outcome.summaries())
                    .with("byRound", byRound)));
            return reached;
        }
    }

    private Result described(Result result) {
        return result.with("authority", authority)
                .with("heights", Map.of("low", low, "high", high))
                .with("payloadBytes", payload)
                .with("rounds", rounds);
    }

    /** A ratio of two arms, and how far it may go. */
    private record Reach(
            String name, RedisLedgerBench.Arm over, RedisLedgerBench.Arm under, double bound, boolean atMost) {

        boolean isReachedBy(double ratio) {
            return atMost ? ratio <= bound : ratio >= bound;
        }

        @Override
        public String toString() {
            return name + (atMost ? " at most " : " at least ") + bound;
        }
    }
}
