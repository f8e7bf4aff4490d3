package dev.baton.cli.command;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Kills a node of an {@code up} cluster the hard way. */
@Command(
        name = "crash",
        description = {
            "Kills a node of an up cluster with SIGKILL, to see what happens.",
            "The process is checked by its command line first; up restarts the node after a second."
        },
        footer = {"%nExamples:", "  baton crash n2", "  baton crash $(baton status --leader)"})
public final class CrashCommand implements Callable<Integer> {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterTarget.DEFAULT_DATA,
            description = "The folder of an up cluster (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NODE", description = "The node to kill.")
    private String node = "";

    @Override
    public Integer call() throws CliFailure {
        ClusterFile cluster = ClusterFile.read(data)
                .orElseThrow(() -> new CliFailure(
                        Exit.UNREACHABLE,
                        "no cluster in " + data.toAbsolutePath().normalize()
                                + " (expected: one that baton up started; name its folder with --data)"));
        ClusterFile.Member member = cluster.member(node)
                .orElseThrow(() -> ClusterTarget.unknown(
                        node,
                        cluster.nodes().stream().map(ClusterFile.Member::node).collect(Collectors.joining(", "))));
        Path config = data.resolve(node).resolve("node.yaml");
        ProcessHandle process = NodeProcess.find(member.pid(), config)
                .orElseThrow(() -> new CliFailure(
                        Exit.REFUSED,
                        node + " does not run: process " + member.pid() + " is gone or another program (expected: baton"
                                + " node --config " + config + "); nothing was killed, baton status shows what runs"));
        if (!process.destroyForcibly()) {
            throw new CliFailure(
                    Exit.REFUSED,
                    "process " + member.pid() + " could not be killed (expected: one of this user's own)");
        }
        output.print(
                Json.object().put("crashed", node).put("pid", member.pid()),
                List.of("killed " + node + " (process " + member.pid() + ")"));
        return Exit.OK.number();
    }
}
