package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.nio.file.Path;
import java.util.List;

/** Where the nodes of an {@code up} cluster serve tokens. */
final class TokenAddresses {

    private TokenAddresses() {}

    static List<String> of(Path data) throws CliFailure {
        ClusterFile cluster = ClusterFile.read(data)
                .orElseThrow(() -> new CliFailure(
                        Exit.UNREACHABLE,
                        "no cluster in " + data.toAbsolutePath().normalize() + " (expected: " + ClusterFile.NAME
                                + " as baton up writes it; start one with ./baton up, or name one with --data or"
                                + " --at)"));
        if (!cluster.duty().equals(ClusterFile.TOKENS)) {
            throw new CliFailure(
                    Exit.UNREACHABLE,
                    "the cluster in " + data.toAbsolutePath().normalize() + " is for " + cluster.duty()
                            + " (expected: one that was started with ./baton up --duty tokens; or name one with --at)");
        }
        return cluster.nodes().stream()
                .map(member -> "127.0.0.1:" + member.ports().duty())
                .toList();
    }
}
