package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.Terminal;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a cluster on this machine. */
@Command(
        name = "up",
        description = {
            "Runs a cluster of real processes on this machine and watches it from outside.",
            "Resumes what an earlier up left in the folder. A node that dies is restarted after a second.",
            "Ends on Ctrl-C, or after --for, with a verdict over every block seen: forks, gaps, terms."
        },
        footer = {
            "%nExamples:",
            "  baton up",
            "  baton up --for 30s --json",
            "  baton up --nodes 5 --interval 100ms --data /tmp/five"
        })
public final class UpCommand implements Callable<Integer> {

    private static final List<Integer> SIZES = List.of(1, 3, 5);
    private static final List<String> AUTHORITIES = List.of("raft");
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterTarget.DEFAULT_DATA,
            description = "Where everything is kept (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes: 1, 3 or 5 (default: 3, or as before).")
    private Optional<Integer> nodes = Optional.empty();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = Durations.class,
            description = "From one block to the next (default: 1s).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--authority",
            paramLabel = "KIND",
            defaultValue = "raft",
            description = "What keeps the seat and the ledger: raft, inside the nodes (default).")
    private String authority = "raft";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Stop after this long, such as 30s; until Ctrl-C if absent.")
    private Optional<Duration> lasting = Optional.empty();

    @Option(
            names = "--port-base",
            paramLabel = "PORT",
            description = "Use the ports from this one on, four per node; free ones are found if absent.")
    private Optional<Integer> portBase = Optional.empty();

    @Option(names = "--fresh", description = "Delete what an earlier up left in the folder, and begin anew.")
    private boolean fresh;

    @Option(names = "--yes", description = "Do not ask before deleting.")
    private boolean yes;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        return new Up(settings(), output).run();
    }

    private UpSettings settings() throws CliFailure {
        Optional<ClusterFile> earlier = fresh ? Optional.empty() : ClusterFile.read(data);
        int size = nodes.or(() -> earlier.map(file -> file.nodes().size())).orElse(3);
        if (!SIZES.contains(size)) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--nodes: " + size + " (expected: 1, 3 or 5; an even number survives no more failures than one"
                            + " less)");
        }
        if (!AUTHORITIES.contains(authority)) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--authority: \"" + authority + "\" (expected: one of " + String.join(", ", AUTHORITIES) + ")");
        }
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--interval: " + Durations.exact(interval) + " (expected: " + Durations.exact(SHORTEST_INTERVAL)
                            + " or longer)");
        }
        if (fresh && !yes) {
            confirmDeletion();
        }
        return new UpSettings(data, size, interval, lasting, portBase, fresh);
    }

    private void confirmDeletion() throws CliFailure {
        if (ClusterFile.read(data).isEmpty()) {
            return; // nothing to lose
        }
        if (!Terminal.confirms("delete the cluster in " + data.toAbsolutePath().normalize() + "?", output)) {
            throw new CliFailure(
                    Exit.REFUSED,
                    "--fresh would delete the cluster in " + data + " (expected: --yes as well, or the answer yes);"
                            + " nothing was deleted");
        }
    }
}
