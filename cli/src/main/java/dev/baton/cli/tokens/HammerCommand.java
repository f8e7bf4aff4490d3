package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes tokens with many callers at once, and writes down what each got. */
@Command(
        name = "hammer",
        description = {
            "Takes tokens with many callers at once, one request each at a time, and logs every range that was answered.",
            "Asks again under the same request id until there is an answer, whatever happens to the nodes meanwhile:"
                    + " kill, freeze and hand over leaders, then judge the log with baton tokens verify.",
            "Told to end early (Ctrl-C, SIGTERM), it says what it has by then."
        },
        footer = {"%nExamples:", "  baton tokens hammer voucher --clients 32 --for 60s --log run.jsonl"})
final class HammerCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NAMESPACE", description = "Whose tokens, such as voucher or shop/orders.")
    private String namespace = "";

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "32",
            description = "How many ask at once (default: 32).")
    private int clients;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many tokens each request asks for (default: 1).")
    private long count;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = Durations.class,
            description = "How long; requests that are under way then have --within to be answered (default: 60s).")
    private Duration length = Duration.ofSeconds(60);

    @Option(names = "--log", paramLabel = "FILE", required = true, description = "Where to write what was handed out.")
    private Path log = Path.of("");

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (clients < 1) {
            throw new CliFailure(Exit.USAGE, "--clients: " + clients + " (expected: 1 or more)");
        }
        HammerFigures figures = new HammerFigures();
        try (TokenLine line = target.open()) {
            boolean leased = isLeased(line);
            HammerTime time = new HammerTime(length, target.within());
            EarlyEnd early = EarlyEnd.expected(time);
            try {
                hammer(line, leased, time, figures);
            } finally { // also if it was refused in the middle: what was handed out was handed out
                output.print(figures.json(), figures.words());
                early.close();
            }
        }
        if (figures.answers() == 0) {
            throw new CliFailure(
                    Exit.UNREACHABLE,
                    "no request was answered within " + Durations.exact(length)
                            + " (expected: nodes that serve tokens at " + String.join(", ", target.addresses()) + ")");
        }
        return Exit.OK.number();
    }

    private boolean isLeased(TokenLine line) throws CliFailure, InterruptedException {
        NamespacesResponse listed = line.ask(
                target.within(),
                (node, patience) -> TokenNamespacesGrpc.newBlockingStub(node)
                        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                        .list(ListRequest.newBuilder().setPrefix(namespace).build()));
        return listed.getNamespacesList().stream()
                .anyMatch(known -> known.getName().equals(namespace) && known.getGuarantee() == Guarantee.LEASED);
    }

    private void hammer(TokenLine line, boolean leased, HammerTime time, HammerFigures figures)
            throws CliFailure, InterruptedException {
        try (RangeWriter writer = new RangeWriter(log)) {
            hammer(new HammerClient.Run(line, namespace, leased, count, clock(), time, writer, figures));
        } catch (IOException e) {
            throw new CliFailure(Exit.USAGE, "--log: " + log + " cannot be written: " + e, e);
        }
    }

    private void hammer(HammerClient.Run run) throws CliFailure, IOException, InterruptedException {
        String name = "hammer-" + UUID.randomUUID().toString().substring(0, 8);
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("hammer-", 1).factory())) {
            for (int i = 1; i <= clients; i++) {
                HammerClient client = new HammerClient(run, name + "-" + i);
                running.add(threads.submit(() -> {
                    client.hammer();
                    return null;
                }));
            }
            try {
                for (Future<?> client : running) {
                    client.get();
                }
            } catch (ExecutionException e) {
                threads.shutdownNow();
                switch (e.getCause()) {
                    case CliFailure refused -> throw refused;
                    case IOException unwritten -> throw unwritten;
                    case null, default -> throw new IllegalStateException("a caller broke", e.getCause());
                }
            }
        }
    }

    /** The system's monotonic clock is the same for all processes until it is started again. */
    private static String clock() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "process-" + UUID.randomUUID();
        }
    }
}
