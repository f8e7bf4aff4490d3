package dev.baton.bench;

import dev.baton.bench.tokens.TokensBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "tokens",
        description = "Measures tokens beside what others hand out numbers with: etcd, Redis, PostgreSQL, ZooKeeper.")
final class TokensCommand implements Callable<Integer> {

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(
            names = "--authority",
            defaultValue = "raft",
            description = "The engine: raft, redis, etcd or nats. Default: ${DEFAULT-VALUE}.")
    private String authority = "raft";

    @Option(names = "--quick", description = "Fewer and shorter rounds: at most 45 s in all.")
    private boolean quick;

    @Option(
            names = "--soak",
            defaultValue = "0s",
            description = "Go on under load for so long and judge whether memory stays flat, such as 10m.")
    private String soak = "0s";

    @Override
    public Integer call() throws Exception {
        output.requireKnown(authority, "etcd", "nats");
        Path folder = Files.createTempDirectory("baton-bench");
        try (TokensBench bench = new TokensBench(
                authority, TokensBench.Pace.of(quick, Duration.parse("PT" + soak)), folder, output::progress)) {
            TokensBench.Outcome outcome = bench.run();
            boolean reached = outcome.missed().isEmpty();
            Result result = new Result(reached).with("verdict", reached ? "PASS" : "FAIL");
            outcome.fields().forEach(result::with);
            output.result(result);
            return reached ? 0 : 1;
        } finally {
            Folders.delete(folder);
        }
    }
}
