package dev.baton.cli.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.InputEnd;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.core.timing.Fault;
import dev.baton.duty.remote.peer.PeerSequencer;
import dev.baton.duty.remote.peer.PeerSettings;
import dev.baton.node.BuildInfo;
import dev.baton.node.Logs;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig.LogConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a sequencer until it is told to stop. */
@Command(
        name = "sequencer",
        description = {
            "Runs a sequencer in a process of its own, for a node with duty remote beside it.",
            "It makes empty blocks while a lease allows it, follows the others while none does, and stops by itself when"
                    + " its lease runs out.",
            "Serves the Admin Control API (evnode.admin.v1) and its blocks; its log is JSON, on standard output."
        },
        footer = {
            "%nExamples:",
            "  baton sequencer --data seq1 --key certs/cluster.key --listen 127.0.0.1:7500 --follow 127.0.0.1:7501",
            "  baton sequencer --data seq1 --key certs/cluster.key --active",
            "  baton sequencer --data op1 --op-stack 127.0.0.1:9545"
        })
public final class SequencerCommand implements Callable<Integer> {

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7500",
            description = "Where to serve; port 0 means any free one (default: 127.0.0.1:7500).")
    private String listen = "127.0.0.1:7500";

    @Option(
            names = "--op-stack",
            paramLabel = "HOST:PORT",
            description = "Stand in for an OP Stack node: serve its JSON-RPC here, and no Admin Control API.")
    private Optional<String> opStack = Optional.empty();

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Where blocks are kept.")
    private Path data = Path.of(".");

    @Option(
            names = "--block-interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = Durations.class,
            description = "From one block to the next (default: 1s).")
    private Duration blockInterval = Duration.ofSeconds(1);

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "The cluster's key, with which lease tokens are sealed; baton certs makes one.")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--follow",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Where other sequencers serve their blocks; once for each.")
    private List<String> follow = new ArrayList<>();

    @Option(
            names = "--active",
            description = "Make blocks at once, without a lease, until one was shown for the first time.")
    private boolean active;

    @Option(names = "--certificate", paramLabel = "FILE", description = "PEM: what it shows; needed off this machine.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--private-key", paramLabel = "FILE", description = "PEM: the key of the certificate.")
    private Optional<Path> privateKey = Optional.empty();

    @Option(names = "--trust", paramLabel = "FILE", description = "PEM: who signed the certificates of those who call.")
    private Optional<Path> trust = Optional.empty();

    @Option(
            names = "--until-input-ends",
            hidden = true,
            description = "Stop when standard input ends, as it does when the process at its other end is gone.")
    private boolean untilInputEnds;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        PeerSettings settings = settings();
        if (!settings.faults().isEmpty()) {
            throw new CliFailure(
                    Exit.USAGE, settings.faults().stream().map(Fault::toString).collect(Collectors.joining("\n")));
        }
        Logs.configure(new LogConfig(LogConfig.Format.JSON, "INFO"));
        try {
            PeerSequencer sequencer = PeerSequencer.start(settings, BuildInfo.version());
            // To have stopped when told to is no failure, but a signal would make it look like one: hence the halt.
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                sequencer.close();
                                Runtime.getRuntime().halt(Exit.OK.number());
                            },
                            "stop"));
            tell(sequencer);
            if (untilInputEnds) {
                InputEnd.stopsThisProcess();
            }
            new CountDownLatch(1).await(); // until the process is told to end
            return Exit.OK.number();
        } catch (BindException e) {
            throw new CliFailure(
                    Exit.PORT_IN_USE,
                    listen + ": " + e.getMessage() + " (expected: a free port; --listen names one)",
                    e);
        } catch (IOException e) {
            Exit exit = e.getCause() instanceof BindException ? Exit.PORT_IN_USE : Exit.DATA_FOLDER;
            throw new CliFailure(exit, String.valueOf(e.getMessage()), e);
        }
    }

    private void tell(PeerSequencer sequencer) {
        ObjectNode json = Json.object();
        List<String> words = new ArrayList<>();
        String grpc = show(sequencer.address());
        json.put("grpc", grpc);
        words.add("grpc     " + grpc);
        sequencer.opStackAddress().map(SequencerCommand::show).ifPresent(at -> {
            json.put("opStack", at);
            words.add("op-stack " + at);
        });
        output.print(json, words);
    }

    private static String show(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private PeerSettings settings() throws CliFailure {
        List<Optional<Path>> files = List.of(certificate, privateKey, trust);
        if (files.stream().anyMatch(Optional::isPresent) && !files.stream().allMatch(Optional::isPresent)) {
            throw new CliFailure(
                    Exit.USAGE, "--certificate, --private-key, --trust: some given (expected: all three, or none)");
        }
        List<InetSocketAddress> op = new ArrayList<>();
        for (String at : opStack.stream().toList()) {
            op.add(address("--op-stack", at));
        }
        for (String peer : follow) {
            address("--follow", peer);
        }
        return new PeerSettings(
                address("--listen", listen),
                op.stream().findFirst(),
                data,
                blockInterval,
                key,
                follow,
                active,
                certificate.map(shown -> new PeerSettings.Tls(shown, privateKey.orElseThrow(), trust.orElseThrow())));
    }

    private static InetSocketAddress address(String option, String text) throws CliFailure {
        try {
            HostPort parsed = HostPort.parse(text);
            return new InetSocketAddress(parsed.host(), parsed.port());
        } catch (IllegalArgumentException e) {
            throw new CliFailure(Exit.USAGE, option + ": " + e.getMessage(), e);
        }
    }
}
