package dev.baton.bench;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "failover",
        description = "Kills the leader again and again and measures each phase until the next committed block.",
        footer = {
            "%nExamples:",
            "  baton bench failover --authority raft --json",
            "  baton bench failover --authority redis --freeze",
            "  baton bench failover --handoff --rounds 40"
        })
final class FailoverCommand implements Callable<Integer> {

    private static final double RAFT_KILLED_AT_MOST_MILLIS = 1_000;
    private static final double RAFT_HANDED_OFF_AT_MOST_MILLIS = 250;
    private static final double REDIS_KILLED_AT_MOST_MILLIS = 200;

    /** Beyond the block interval. */
    private static final double REDIS_HANDED_OFF_AT_MOST_MILLIS = 20;

    /** Beyond the lease, which {@code up} sets to two seconds for short intervals. */
    private static final double FROZEN_AT_MOST_MILLIS = 150;

    private static final double LEASE_MILLIS = 2_000;

    /** Within a second of a change every node names the holder. */
    private static final double NAMED_AT_MOST_MILLIS = 1_000;

    private final LiveCluster.Starter starter;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(
            names = "--authority",
            defaultValue = "raft",
            description = "The engine: raft, redis, etcd or nats. Default: ${DEFAULT-VALUE}.")
    private String authority = "raft";

    @Option(names = "--rounds", defaultValue = "20", description = "How often. Default: ${DEFAULT-VALUE}.")
    private int rounds = 20;

    @Option(
            names = "--interval-millis",
            defaultValue = "100",
            description = "The block interval. Default: ${DEFAULT-VALUE}.")
    private int intervalMillis = 100;

    @ArgGroup
    private Way way = new Way();

    /** How the holder loses the seat; without any of these it is killed. */
    static final class Way {
        @Option(names = "--handoff", description = "Hand the seat over by plan instead of killing its holder.")
        private boolean handoff;

        @Option(
                names = "--freeze",
                description = "Stop the holder's process instead (SIGSTOP), and wake it afterwards.")
        private boolean freeze;
    }

    FailoverCommand(LiveCluster.Starter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        output.requireKnown(authority, "etcd", "nats");
        try (LiveCluster cluster = starter.start(authority, "sequencer", Duration.ofMillis(intervalMillis))) {
            FailoverBench bench = new FailoverBench(cluster, output::progress);
            if (way.handoff) {
                bench.handedOff(rounds);
            } else if (way.freeze) {
                bench.frozen(rounds);
            } else {
                bench.killed(rounds);
            }
            double atMost = atMostMillis();
            boolean reached =
                    bench.total().medianMillis() <= atMost && bench.named().millisAt(1) <= NAMED_AT_MOST_MILLIS;
            output.result(new Result(reached)
                    .with("total", bench.total().summary())
                    .with("phases", bench.phases())
                    .with("named", bench.named().summary())
                    .with("rounds", bench.total().size())
                    .with("way", way.handoff ? "handoff" : way.freeze ? "frozen" : "killed")
                    .with("reach", "p50 at most " + atMost + " ms")
                    .with("authority", authority)
                    .with("intervalMillis", intervalMillis));
            return reached ? 0 : 1;
        }
    }

    private double atMostMillis() {
        boolean redis = authority.equals(BenchOutput.REDIS);
        if (way.freeze) {
            return LEASE_MILLIS + FROZEN_AT_MOST_MILLIS;
        }
        if (way.handoff) {
            return redis ? intervalMillis + REDIS_HANDED_OFF_AT_MOST_MILLIS : RAFT_HANDED_OFF_AT_MOST_MILLIS;
        }
        return redis ? REDIS_KILLED_AT_MOST_MILLIS : RAFT_KILLED_AT_MOST_MILLIS;
    }
}
