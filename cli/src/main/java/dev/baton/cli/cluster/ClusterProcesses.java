package dev.baton.cli.cluster;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The processes of an {@code up} cluster by their names, each checked by its command line before it is handed out. */
public final class ClusterProcesses {

    private ClusterProcesses() {}

    /** The process of a node, or of a server that {@code up} runs for the nodes. */
    public static ProcessHandle find(Path data, ClusterFile cluster, String name) throws CliFailure {
        Optional<ClusterFile.Server> server = cluster.ownServer(name);
        return server.isPresent() ? server(data, cluster, server.get()) : node(data, cluster, name);
    }

    private static ProcessHandle node(Path data, ClusterFile cluster, String name) throws CliFailure {
        ClusterFile.Member member = cluster.member(name).orElseThrow(() -> ClusterTarget.unknown(name, names(cluster)));
        Path config = data.resolve(name).resolve("node.yaml");
        return NodeProcess.find(member.pid(), config)
                .orElseThrow(() -> notRunning(name, member.pid(), "baton node --config " + config));
    }

    private static ProcessHandle server(Path data, ClusterFile cluster, ClusterFile.Server server) throws CliFailure {
        ServerKind kind = cluster.servers().orElseThrow().kind();
        Path config = kind.config(data, server.name());
        return NodeProcess.findServer(server.pid(), kind, config)
                .orElseThrow(() -> notRunning(server.name(), server.pid(), kind.command() + " " + config));
    }

    private static String names(ClusterFile cluster) {
        return Stream.concat(
                        cluster.nodes().stream().map(ClusterFile.Member::node),
                        cluster.servers().stream()
                                .flatMap(kept -> kept.own().stream())
                                .map(ClusterFile.Server::name))
                .collect(Collectors.joining(", "));
    }

    private static CliFailure notRunning(String name, long pid, String expected) {
        return new CliFailure(
                Exit.REFUSED,
                name + " does not run: process " + pid + " is gone or another program (expected: " + expected
                        + "); nothing was killed, baton status shows what runs");
    }
}
