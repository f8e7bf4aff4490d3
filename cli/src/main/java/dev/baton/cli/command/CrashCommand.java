package dev.baton.cli.command;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeProcess;
import dev.baton.cli.cluster.ServerKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Kills a node of an {@code up} cluster the hard way. */
@Command(
        name = "crash",
        description = {
            "Kills a node of an up cluster, or one of the servers that up runs for it, with SIGKILL, to see what happens.",
            "The process is checked by its command line first; up restarts it after a second."
        },
        footer = {"%nExamples:", "  baton crash n2", "  baton crash redis-2", "  baton crash $(baton status --leader)"})
public final class CrashCommand implements Callable<Integer> {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterTarget.DEFAULT_DATA,
            description = "The folder of an up cluster (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NODE", description = "The node to kill, such as n2, redis-2, etcd-2 or nats-2.")
    private String node = "";

    @Override
    public Integer call() throws CliFailure {
        ClusterFile cluster = ClusterFile.read(data)
                .orElseThrow(() -> new CliFailure(
                        Exit.UNREACHABLE,
                        "no cluster in " + data.toAbsolutePath().normalize()
                                + " (expected: one that baton up started; name its folder with --data)"));
        Optional<ClusterFile.Server> server = cluster.ownServer(node);
        ProcessHandle process = server.isPresent() ? server(cluster, server.get()) : node(cluster);
        if (!process.destroyForcibly()) {
            throw new CliFailure(
                    Exit.REFUSED,
                    "process " + process.pid() + " could not be killed (expected: one of this user's own)");
        }
        output.print(
                Json.object().put("crashed", node).put("pid", process.pid()),
                List.of("killed " + node + " (process " + process.pid() + ")"));
        return Exit.OK.number();
    }

    private ProcessHandle node(ClusterFile cluster) throws CliFailure {
        ClusterFile.Member member = cluster.member(node).orElseThrow(() -> ClusterTarget.unknown(node, names(cluster)));
        Path config = data.resolve(node).resolve("node.yaml");
        return NodeProcess.find(member.pid(), config)
                .orElseThrow(() -> notRunning(member.pid(), "baton node --config " + config));
    }

    private ProcessHandle server(ClusterFile cluster, ClusterFile.Server server) throws CliFailure {
        ServerKind kind = cluster.servers().orElseThrow().kind();
        Path config = kind.config(data, node);
        return NodeProcess.findServer(server.pid(), kind, config)
                .orElseThrow(() -> notRunning(server.pid(), kind.command() + " " + config));
    }

    private static String names(ClusterFile cluster) {
        return Stream.concat(
                        cluster.nodes().stream().map(ClusterFile.Member::node),
                        cluster.servers().stream()
                                .flatMap(kept -> kept.own().stream())
                                .map(ClusterFile.Server::name))
                .collect(Collectors.joining(", "));
    }

    private CliFailure notRunning(long pid, String expected) {
        return new CliFailure(
                Exit.REFUSED,
                node + " does not run: process " + pid + " is gone or another program (expected: " + expected
                        + "); nothing was killed, baton status shows what runs");
    }
}
