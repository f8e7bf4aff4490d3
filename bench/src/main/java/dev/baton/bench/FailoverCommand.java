package dev.baton.bench;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "failover",
        description = "Kills the leader again and again and measures each phase until the next committed block.",
        footer = {
            "%nExamples:",
            "  baton bench failover --authority raft --json",
            "  baton bench failover --handoff --rounds 40"
        })
final class FailoverCommand implements Callable<Integer> {

    private static final double KILLED_P50_AT_MOST_MILLIS = 1_000;
    private static final double HANDED_OFF_P50_AT_MOST_MILLIS = 250;

    /** Within a second of a change every node names the holder. */
    private static final double NAMED_AT_MOST_MILLIS = 1_000;

    private final LiveCluster.Starter starter;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--authority", defaultValue = "raft", description = "The engine: raft. Default: ${DEFAULT-VALUE}.")
    private String authority = "raft";

    @Option(names = "--rounds", defaultValue = "20", description = "How often. Default: ${DEFAULT-VALUE}.")
    private int rounds = 20;

    @Option(
            names = "--interval-millis",
            defaultValue = "100",
            description = "The block interval. Default: ${DEFAULT-VALUE}.")
    private int intervalMillis = 100;

    @Option(names = "--handoff", description = "Hand the seat over by plan instead of killing its holder.")
    private boolean handoff;

    FailoverCommand(LiveCluster.Starter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        output.requireKnown(authority);
        try (LiveCluster cluster = starter.start(authority, Duration.ofMillis(intervalMillis))) {
            FailoverBench bench = new FailoverBench(cluster, output::progress);
            if (handoff) {
                bench.handedOff(rounds);
            } else {
                bench.killed(rounds);
            }
            double atMost = handoff ? HANDED_OFF_P50_AT_MOST_MILLIS : KILLED_P50_AT_MOST_MILLIS;
            boolean reached =
                    bench.total().medianMillis() <= atMost && bench.named().millisAt(1) <= NAMED_AT_MOST_MILLIS;
            output.result(new Result(reached)
                    .with("total", bench.total().summary())
                    .with("phases", bench.phases())
                    .with("named", bench.named().summary())
                    .with("rounds", bench.total().size())
                    .with("reach", "p50 of " + (handoff ? "handoff" : "failover") + " at most " + atMost + " ms")
                    .with("authority", authority)
                    .with("intervalMillis", intervalMillis));
            return reached ? 0 : 1;
        }
    }
}
