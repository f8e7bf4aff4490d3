package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.Terminal;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.ServerKind;
import dev.baton.node.config.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
            "Resumes what an earlier up left in the folder. A process that dies is restarted after a second.",
            "On Redis, etcd or NATS it starts three servers of its own, unless --redis, --etcd or --nats names others.",
            "Ends on Ctrl-C, or after --for, with a verdict over every block seen: forks, gaps, terms;",
            "with --duty tokens over the tokens that it asks for itself: repeats, failures, terms;",
            "with --duty postgres over the rows that it writes itself: lost ones, standbys, their lag;",
            "with --duty remote over the blocks of the sequencers beside the nodes, as far as the ledger has them."
        },
        footer = {
            "%nExamples:",
            "  baton up",
            "  baton up --for 30s --json",
            "  baton up --nodes 5 --interval 100ms --data /tmp/five",
            "  baton up --open",
            "  baton up --authority redis",
            "  baton up --authority redis --redis 10.0.0.7:6379,10.0.0.8:6379,10.0.0.9:6379 --init",
            "  baton up --authority etcd",
            "  baton up --duty tokens --authority etcd",
            "  baton up --etcd 10.0.0.7:2379,10.0.0.8:2379,10.0.0.9:2379",
            "  baton up --authority nats",
            "  baton up --mempool",
            "  baton up --duty postgres",
            "  baton up --duty remote"
        })
public final class UpCommand implements Callable<Integer> {

    private static final List<Integer> SIZES = List.of(1, 3, 5);
    private static final int MOST_ON_SERVERS = 5;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConsoleOptions consoleOptions = new ConsoleOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterTarget.DEFAULT_DATA,
            description = "Where everything is kept (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "How many nodes: 1, 3 or 5; on Redis, etcd or NATS 1 to 5 (default: 3, or as before).")
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
            description =
                    "What keeps the seat and the ledger: raft, inside the nodes, redis, etcd or nats (default: raft,"
                            + " or as before).")
    private Optional<String> authority = Optional.empty();

    @Option(
            names = "--duty",
            paramLabel = "KIND",
            description = "What the nodes do: sequencer, which makes blocks, tokens, postgres, a primary and its"
                    + " standbys, or remote, a sequencer process beside each node (default: sequencer, or as before).")
    private Optional<String> duty = Optional.empty();

    @Option(
            names = "--mempool",
            description = "Share a mempool among the nodes, in a Redis of its own, that feeds the sequencer.")
    private boolean mempool;

    @Option(
            names = "--redis",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Use these running Redis nodes instead of own ones; they are never stopped.")
    private List<String> redis = List.of();

    @Option(
            names = "--etcd",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Use these running members of an etcd cluster instead of own ones; they are never stopped.")
    private List<String> etcd = List.of();

    @Option(
            names = "--nats",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Use these running NATS servers with JetStream instead of own ones; they are never stopped.")
    private List<String> nats = List.of();

    @Option(names = "--init", description = "Found the seat on the nodes of --redis if they know nothing of it.")
    private boolean init;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Stop after this long, such as 30s; until Ctrl-C if absent.")
    private Optional<Duration> lasting = Optional.empty();

    @Option(
            names = "--port-base",
            paramLabel = "PORT",
            description = "Use the ports from this one on, five per node; free ones are found if absent.")
    private Optional<Integer> portBase = Optional.empty();

    @Option(names = "--fresh", description = "Delete what an earlier up left in the folder, and begin anew.")
    private boolean fresh;

    @Option(names = "--yes", description = "Do not ask before deleting.")
    private boolean yes;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        consoleOptions.check();
        return new Up(settings(), consoleOptions, output).run();
    }

    private UpSettings settings() throws CliFailure {
        Optional<ClusterFile> earlier = fresh ? Optional.empty() : ClusterFile.read(data);
        int size = nodes.or(() -> earlier.map(file -> file.nodes().size())).orElse(3);
        UpAuthority kind = authority(earlier);
        boolean outside = kind.servers().isPresent();
        if (outside ? size < 1 || size > MOST_ON_SERVERS : !SIZES.contains(size)) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--nodes: " + size
                            + (outside
                                    ? " (expected: 1 to " + MOST_ON_SERVERS + ")"
                                    : " (expected: 1, 3 or 5; an even number survives no more failures than one less)"));
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
        UpDuty work = duty(earlier);
        return new UpSettings(data, size, interval, kind, work, mempool(work), lasting, portBase, fresh);
    }

    private boolean mempool(UpDuty work) throws CliFailure {
        if (mempool && work != UpDuty.SEQUENCER) {
            throw new CliFailure(
                    Exit.USAGE, "--mempool: with --duty " + work.word() + " (expected: sequencer, which it feeds)");
        }
        // A cluster that has one keeps it: its nodes stand for the seat of its watcher.
        return mempool || (!fresh && Files.isDirectory(data.resolve(UpSettings.MEMPOOL)));
    }

    private UpDuty duty(Optional<ClusterFile> earlier) throws CliFailure {
        String word = duty.or(() -> earlier.map(ClusterFile::duty)).orElse(UpDuty.SEQUENCER.word());
        return UpDuty.of(word)
                .orElseThrow(() -> new CliFailure(
                        Exit.USAGE, "--duty: \"" + word + "\" (expected: sequencer, tokens, postgres or remote)"));
    }

    private UpAuthority authority(Optional<ClusterFile> earlier) throws CliFailure {
        String kind = authority
                .or(() -> redis.isEmpty() ? Optional.empty() : Optional.of(ServerKind.REDIS.authority()))
                .or(() -> etcd.isEmpty() ? Optional.empty() : Optional.of(ServerKind.ETCD.authority()))
                .or(() -> nats.isEmpty() ? Optional.empty() : Optional.of(ServerKind.NATS.authority()))
                .or(() -> earlier.map(ClusterFile::authority))
                .orElse(UpAuthority.RAFT.kind());
        if (!UpAuthority.KINDS.contains(kind)) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--authority: \"" + kind + "\" (expected: one of " + String.join(", ", UpAuthority.KINDS) + ")");
        }
        refuseOptionOf(ServerKind.REDIS, kind, "--init", init);
        refuseOptionOf(ServerKind.REDIS, kind, "--redis", !redis.isEmpty());
        refuseOptionOf(ServerKind.ETCD, kind, "--etcd", !etcd.isEmpty());
        refuseOptionOf(ServerKind.NATS, kind, "--nats", !nats.isEmpty());
        List<String> named = addresses(ServerKind.of(kind));
        List<String> external = named.isEmpty() ? earlierExternal(earlier) : named;
        if (init && external.isEmpty()) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--init: without --redis (expected: both; up founds the seat on its own Redis by itself)");
        }
        return new UpAuthority(kind, external, init);
    }

    private static void refuseOptionOf(ServerKind owner, String kind, String option, boolean given) throws CliFailure {
        if (given && !kind.equals(owner.authority())) {
            throw new CliFailure(
                    Exit.USAGE, option + ": with --authority " + kind + " (expected: " + owner.authority() + ")");
        }
    }

    private static List<String> earlierExternal(Optional<ClusterFile> earlier) {
        return earlier.flatMap(ClusterFile::servers)
                .filter(kept -> kept.own().isEmpty())
                .map(ClusterFile.Servers::addresses)
                .orElse(List.of());
    }

    private List<String> addresses(Optional<ServerKind> kind) throws CliFailure {
        if (kind.isEmpty()) {
            return List.of();
        }
        List<String> addresses = new ArrayList<>();
        List<String> named = switch (kind.get()) {
            case REDIS -> redis;
            case ETCD -> etcd;
            case NATS -> nats;
        };
        for (String text : named) {
            try {
                addresses.add(HostPort.parse(text.strip()).toString());
            } catch (IllegalArgumentException e) {
                throw new CliFailure(Exit.USAGE, kind.get().option() + ": " + e.getMessage(), e);
            }
        }
        return addresses;
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
