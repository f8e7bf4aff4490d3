package dev.baton.cli.tokens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the nodes of an {@code up} cluster serve tokens: {@code listen.tokens} of each node's configuration. */
final class TokenAddresses {

    private static final YAMLMapper YAML = new YAMLMapper();

    private TokenAddresses() {}

    static List<String> of(Path data) throws CliFailure {
        ClusterFile cluster = ClusterFile.read(data)
                .orElseThrow(() -> new CliFailure(
                        Exit.UNREACHABLE,
                        "no cluster in " + data.toAbsolutePath().normalize() + " (expected: " + ClusterFile.NAME
                                + " as baton up writes it; start one with ./baton up, or name one with --data or"
                                + " --at)"));
        List<String> addresses = new ArrayList<>();
        for (ClusterFile.Member member : cluster.nodes()) {
            Path config = data.resolve(member.node()).resolve("node.yaml");
            String address = read(config).path("listen").path("tokens").asText("");
            if (!address.isEmpty()) {
                addresses.add(address);
            }
        }
        if (addresses.isEmpty()) {
            throw new CliFailure(
                    Exit.UNREACHABLE,
                    "no node of the cluster in " + data.toAbsolutePath().normalize()
                            + " serves tokens (expected: listen.tokens in its node.yaml; or name one with --at)");
        }
        return addresses;
    }

    private static JsonNode read(Path config) throws CliFailure {
        try {
            return YAML.readTree(Files.readString(config));
        } catch (JsonProcessingException e) {
            throw new CliFailure(
                    Exit.DATA_FOLDER,
                    config + " is damaged: " + e.getOriginalMessage() + "; baton up writes it anew",
                    e);
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.DATA_FOLDER, config + " cannot be read: " + e + " (expected: a file this user may read)", e);
        }
    }
}
