package dev.baton.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "node",
        description = "Measures what a node takes at a block a second, and how soon a cluster makes its first block.")
final class NodeCommand implements Callable<Integer> {

    private static final double FIRST_BLOCK_AT_MOST_SECONDS = 6;
    private static final double RESIDENT_AT_MOST_MB = 300;
    private static final double CORE_AT_MOST_PERCENT = 9;

    private final LiveCluster.Starter starter;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Option(names = "--seconds", defaultValue = "30", description = "How long to watch. Default: ${DEFAULT-VALUE}.")
    private int seconds = 30;

    @Option(
            names = "--settle-seconds",
            defaultValue = "15",
            description = "How long the processes may warm up first. Default: ${DEFAULT-VALUE}.")
    private int settleSeconds = 15;

    NodeCommand(LiveCluster.Starter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        try (LiveCluster cluster = starter.start("raft", "sequencer", Duration.ofSeconds(1))) {
            String leader = cluster.awaitCalm();
            pass(settleSeconds);
            Map<String, Long> processes = cluster.processes();
            Map<String, Long> before = cpuMillis(processes);
            long beganNanos = System.nanoTime();
            pass(seconds);
            double passedMillis = (System.nanoTime() - beganNanos) / 1e6;
            Map<String, Long> after = cpuMillis(processes);

            double firstBlock = cluster.toFirstBlock().toMillis() / 1e3;
            double mostResident = 0;
            double mostOfACore = 0;
            Map<String, Object> nodes = new LinkedHashMap<>();
            for (Map.Entry<String, Long> process : processes.entrySet()) {
                String node = process.getKey();
                double resident = residentMegabytes(process.getValue());
                double percent = 100 * (after.getOrDefault(node, 0L) - before.getOrDefault(node, 0L)) / passedMillis;
                mostResident = Math.max(mostResident, resident);
                mostOfACore = Math.max(mostOfACore, percent);
                nodes.put(
                        node,
                        Map.of(
                                "residentMegabytes", Sample.rounded(resident),
                                "percentOfACore", Sample.rounded(percent),
                                "leads", node.equals(leader)));
            }
            boolean reached = firstBlock <= FIRST_BLOCK_AT_MOST_SECONDS
                    && mostResident <= RESIDENT_AT_MOST_MB
                    && mostOfACore <= CORE_AT_MOST_PERCENT;
            output.result(new Result(reached)
                    .with("firstBlockSeconds", Sample.rounded(firstBlock))
                    .with("nodes", nodes)
                    .with("watchedSeconds", seconds));
            return reached ? 0 : 1;
        }
    }

    /** Lets time pass, which is what is measured here. */
    private void pass(int secondsToPass) throws InterruptedException {
        output.progress("watching for " + secondsToPass + " s");
        var unused = new CountDownLatch(1).await(secondsToPass, TimeUnit.SECONDS);
    }

    private static Map<String, Long> cpuMillis(Map<String, Long> processes) {
        Map<String, Long> millis = new LinkedHashMap<>();
        processes.forEach((node, pid) -> millis.put(
                node,
                ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .map(Duration::toMillis)
                        .orElse(0L)));
        return millis;
    }

    private static double residentMegabytes(long pid) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        throw new IllegalStateException("process " + pid + " is gone");
    }
}
