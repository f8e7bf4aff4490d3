package dev.baton.cli.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.control.access.Role;
import dev.baton.control.certs.DevelopmentCertificates;
import dev.baton.control.certs.DevelopmentCertificates.Use;
import dev.baton.control.seal.ClusterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes what a control listener with mutual TLS needs, for development. */
@Command(
        name = "certs",
        description = {
            "Makes a development certificate authority, a certificate for the control listeners, one for each role,",
            "a policy that knows them, and the cluster's key. The authority's own key is not kept."
        },
        footer = {"%nExamples:", "  baton certs --out certs --host node-1.internal --host 10.0.0.5"})
public final class CertsCommand implements Callable<Integer> {

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Where the files go; a new folder.")
    private Path folder = Path.of("");

    @Option(names = "--cluster", paramLabel = "NAME", defaultValue = "dev", description = "The cluster (default: dev).")
    private String cluster = "";

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "A host name or address of the listeners; may be given several times. localhost and 127.0.0.1"
                    + " are always among them.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "How long they hold (default: 30).")
    private int days;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure {
        if (days < 1 || days > 365) {
            throw new CliFailure(Exit.USAGE, "--days: " + days + " (expected: 1 to 365)");
        }
        if (Files.exists(folder.resolve("ca.crt"))) {
            throw new CliFailure(
                    Exit.REFUSED,
                    folder + " holds an authority already (expected: a new folder; certificates of another authority"
                            + " would not fit)");
        }
        try {
            make();
        } catch (IOException | GeneralSecurityException e) {
            throw new CliFailure(Exit.FAILED, "certificates could not be made: " + e, e);
        }
        ObjectNode json = Json.object().put("folder", folder.toString()).put("cluster", cluster);
        ArrayNode identities = json.putArray("identities");
        Stream.of(Role.values()).forEach(role -> identities.add(identity(role)));
        output.print(
                json,
                List.of(
                        "made ca.crt, server.crt, a certificate per role, policy.yaml and cluster.key in " + folder,
                        "in each node's configuration:",
                        "  control:",
                        "    listen: \"0.0.0.0:7404\"",
                        "    key: " + folder.resolve("cluster.key"),
                        "    policy: " + folder.resolve("policy.yaml"),
                        "    tls: {certificate: " + folder.resolve("server.crt") + ", key: "
                                + folder.resolve("server.key") + ", trust: " + folder.resolve("ca.crt") + "}"));
        return Exit.OK.number();
    }

    private void make() throws IOException, GeneralSecurityException {
        Duration validFor = Duration.ofDays(days);
        Instant end = Instant.now().plus(validFor);
        DevelopmentCertificates authority =
                DevelopmentCertificates.found(folder, "baton development " + cluster, validFor);
        List<String> names = new ArrayList<>(List.of("localhost", "127.0.0.1"));
        names.addAll(hosts);
        authority.issue("server", Use.SERVER, names, end);
        StringBuilder policy = new StringBuilder("# Which name in a certificate has which role.\nidentities:\n");
        for (Role role : Role.values()) {
            authority.issue(role.word(), Use.CLIENT, List.of(identity(role)), end);
            policy.append("  \"")
                    .append(identity(role))
                    .append("\": ")
                    .append(role.word())
                    .append('\n');
        }
        Files.writeString(folder.resolve("policy.yaml"), policy);
        ClusterKey.createIfAbsent(folder.resolve("cluster.key"));
    }

    private String identity(Role role) {
        return "baton://%s/%s".formatted(cluster, role.word());
    }
}
