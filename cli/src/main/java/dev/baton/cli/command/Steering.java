package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How commands that change something reach a node's admin listener. */
public final class Steering {

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Option(
            names = "--admin",
            paramLabel = "URL",
            description = "The admin address of the node, such as http://127.0.0.1:7403; known for an up cluster.")
    private Optional<URI> admin = Optional.empty();

    public ClusterTarget target() {
        return target;
    }

    public boolean isByAddress() {
        return admin.isPresent();
    }

    public JsonNode post(Optional<NodeAddress> node, String path, Duration patience)
            throws CliFailure, InterruptedException {
        URI address = admin.or(() -> node.flatMap(NodeAddress::admin))
                .orElseThrow(() -> new CliFailure(
                        Exit.USAGE,
                        "the node's admin address is not known (expected: --admin URL, or --data of an up cluster)"));
        return ClusterTarget.expect(target.client().post(address, path, new byte[0], patience));
    }

    public static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
