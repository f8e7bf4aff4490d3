package dev.baton.bench;

import dev.baton.bench.mempool.FailoverRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "mempool-failover",
        description = {
            "Kills and freezes the watcher of a mempool again and again, with two node processes and one Redis.",
            "Passes if every transaction ends as it does in a pool that nothing happens to."
        })
final class MempoolFailoverCommand implements Callable<Integer> {

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--for", defaultValue = "60s", description = "How long (default: ${DEFAULT-VALUE}).")
    private String time = "60s";

    @Option(names = "--transactions", defaultValue = "10000", description = "How many (default: ${DEFAULT-VALUE}).")
    private int transactions = 10_000;

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("baton-bench");
        try (FailoverRun run = new FailoverRun(folder, Duration.parse("PT" + time), transactions, output::progress)) {
            FailoverRun.Outcome outcome = run.run();
            boolean held = outcome.wrong().isEmpty();
            Result result = new Result(held).with("verdict", held ? "PASS" : "FAIL");
            outcome.fields().forEach(result::with);
            result.with("wrong", outcome.wrong());
            output.result(result);
            return held ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }
}
