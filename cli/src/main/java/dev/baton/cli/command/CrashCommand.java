package dev.baton.cli.command;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterProcesses;
import dev.baton.cli.cluster.ClusterTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
        ProcessHandle process = ClusterProcesses.find(data, cluster, node);
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
}
