package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelRegistry.ProviderNotFoundException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whom a command believes, and as whom it asks, if tokens are served over TLS; named as in a node's configuration. */
final class TokenTls {

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "PEM file: the authorities of the nodes; calls to them are encrypted then.")
    private Optional<Path> trust = Optional.empty();

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "PEM file: the certificate to show; nodes that have tls configured serve nobody without one.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file: the key to --certificate.")
    private Optional<Path> key = Optional.empty();

    ChannelCredentials credentials() throws CliFailure {
        if (certificate.isPresent() != key.isPresent()) {
            throw new CliFailure(
                    Exit.USAGE,
                    (certificate.isPresent() ? "--key" : "--certificate") + ": missing (expected: both files)");
        }
        if (trust.isEmpty()) {
            if (certificate.isPresent()) {
                throw new CliFailure(Exit.USAGE, "--trust: missing (expected: the authorities of the nodes, too)");
            }
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        try {
            check(tls.trustManager(trust.get().toFile()).build());
        } catch (IOException | IllegalArgumentException | ProviderNotFoundException e) {
            throw unusable("--trust: " + trust.get(), "certificates in PEM form", e);
        }
        if (certificate.isPresent() && key.isPresent()) {
            try {
                check(tls.keyManager(certificate.get().toFile(), key.get().toFile())
                        .build());
            } catch (IOException | IllegalArgumentException | ProviderNotFoundException e) {
                throw unusable(
                        "--certificate, --key: " + certificate.get() + ", " + key.get(),
                        "a certificate and its key in PEM form",
                        e);
            }
        }
        return tls.build();
    }

    /** What is in the files is looked at when a channel is described; nothing is connected here. */
    private static void check(ChannelCredentials credentials) {
        var unused = Grpc.newChannelBuilder("localhost:1", credentials);
    }

    private static CliFailure unusable(String what, String expected, Exception why) {
        return new CliFailure(Exit.USAGE, what + " (expected: " + expected + "): " + why.getMessage(), why);
    }
}
