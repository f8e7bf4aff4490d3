package dev.baton.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "ledger", description = "Measures an append at a low and at a great height, beside the engine's floor.")
final class LedgerCommand implements Callable<Integer> {

    private static final double FLAT_AT_MOST = 1.2;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--authority", defaultValue = "raft", description = "The engine: raft. Default: ${DEFAULT-VALUE}.")
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
        try (LedgerBench bench = new LedgerBench(folder, output::progress)) {
            LedgerBench.Outcome outcome = bench.run(low, high, rounds, payload);
            boolean reached = outcome.flat() <= FLAT_AT_MOST;
            output.result(new Result(reached)
                    .with("ratios", Map.of("flat", outcome.flat(), "appendOverFloor", outcome.overFloor()))
                    .with("flatByRound", outcome.flatByRound())
                    .with("low", outcome.shortLedger().summaryWithP99())
                    .with("high", outcome.longLedger().summaryWithP99())
                    .with("floor", outcome.floor().summaryWithP99())
                    .with("heights", Map.of("low", low, "high", high))
                    .with("payloadBytes", payload)
                    .with("rounds", rounds));
            return reached ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }
}
