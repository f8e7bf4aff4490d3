package dev.baton.cli.proxy;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.proxy.ProxyTls;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which certificates a proxy shows and believes. */
final class TlsOptions {

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description =
                    "PEM file: the certificate for clients of gRPC; read again when it changes. HTTP is not served over TLS.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM file: the key to --tls-certificate.")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--nodes-trust",
            paramLabel = "FILE",
            description = "PEM file: the authorities of the nodes; gRPC calls to them are encrypted then.")
    private Optional<Path> trust = Optional.empty();

    @Option(
            names = "--nodes-certificate",
            paramLabel = "FILE",
            description = "PEM file: the certificate that the proxy shows to nodes.")
    private Optional<Path> nodesCertificate = Optional.empty();

    @Option(names = "--nodes-key", paramLabel = "FILE", description = "PEM file: the key to --nodes-certificate.")
    private Optional<Path> nodesKey = Optional.empty();

    ProxyTls read() throws CliFailure {
        Optional<ProxyTls.Identity> towardsNodes = identity("--nodes", nodesCertificate, nodesKey);
        if (towardsNodes.isPresent() && trust.isEmpty()) {
            throw new CliFailure(Exit.USAGE, "--nodes-trust: missing (expected: the authorities of the nodes, too)");
        }
        return new ProxyTls(
                identity("--tls", certificate, key), trust.map(file -> new ProxyTls.Nodes(file, towardsNodes)));
    }

    private static Optional<ProxyTls.Identity> identity(String option, Optional<Path> certificate, Optional<Path> key)
            throws CliFailure {
        if (certificate.isPresent() != key.isPresent()) {
            throw new CliFailure(
                    Exit.USAGE,
                    option + (certificate.isPresent() ? "-key" : "-certificate") + ": missing (expected: both files)");
        }
        return certificate.flatMap(file -> key.map(its -> new ProxyTls.Identity(file, its)));
    }
}
