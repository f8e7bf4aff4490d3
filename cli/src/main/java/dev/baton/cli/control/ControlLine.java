package dev.baton.cli.control;

import com.google.protobuf.ByteString;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How a command reaches a node's control listener, and as whom. */
final class ControlLine {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            description = "Where its control listener is; known for an up cluster.")
    private Optional<String> address = Optional.empty();

    @Option(
            names = "--certs",
            paramLabel = "DIR",
            description = "A folder with ca.crt and the certificate to show, as baton certs makes it.")
    private Optional<Path> certs = Optional.empty();

    @Option(
            names = "--as",
            paramLabel = "NAME",
            defaultValue = "operator",
            description = "Which certificate of that folder to show (default: operator).")
    private String identity = "";

    @Option(names = "--seat", paramLabel = "SEAT", defaultValue = "", description = "The seat (default: the first).")
    private String seat = "";

    String node() {
        return node;
    }

    String seat() {
        return seat;
    }

    /** A key by which a retry of this very call would be recognised. */
    static String newKey() {
        return UUID.randomUUID().toString();
    }

    static String requester() {
        return System.getProperty("user.name", "");
    }

    StatusResponse status() throws CliFailure, InterruptedException {
        return call(stub -> stub.status(StatusRequest.newBuilder().setSeat(seat).build()));
    }

    ByteString token() throws CliFailure, InterruptedException {
        return status().getLeaseToken();
    }

    <A> A call(Function<ControlServiceBlockingStub, A> question) throws CliFailure, InterruptedException {
        ManagedChannel channel = Grpc.newChannelBuilder(find(), credentials()).build();
        try {
            return question.apply(ControlServiceGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE));
        } catch (StatusRuntimeException e) {
            boolean unreachable = e.getStatus().getCode() == Status.Code.UNAVAILABLE
                    || e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
            throw new CliFailure(
                    unreachable ? Exit.UNREACHABLE : Exit.REFUSED,
                    node + ": " + e.getStatus().getCode() + ": " + e.getStatus().getDescription(),
                    e);
        } finally {
            channel.shutdownNow();
        }
    }

    private String find() throws CliFailure, InterruptedException {
        if (address.isPresent()) {
            return address.get();
        }
        String found = ClusterTarget.expect(
                        target.client().get(target.node(node).http(), "/status"))
                .path("control")
                .asText("");
        if (found.isEmpty()) {
            throw new CliFailure(
                    Exit.REFUSED, node + " has no control listener (expected: a control section in its configuration)");
        }
        return found;
    }

    private ChannelCredentials credentials() throws CliFailure {
        if (certs.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        Path folder = certs.get();
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(folder.resolve("ca.crt").toFile())
                    .keyManager(
                            folder.resolve(identity + ".crt").toFile(),
                            folder.resolve(identity + ".key").toFile())
                    .build();
        } catch (IOException | IllegalArgumentException e) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--certs: " + folder + " (expected: ca.crt, " + identity + ".crt and " + identity + ".key in it): "
                            + e.getMessage(),
                    e);
        }
    }
}
