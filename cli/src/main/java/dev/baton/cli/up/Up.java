package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.Terminal;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.console.UpConsole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One run of a cluster, from the first process to the verdict. */
final class Up {

    private static final Duration LEVEL = Duration.ofSeconds(2);
    private static final Duration WIND_UP = Duration.ofSeconds(20);

    private final UpSettings settings;
    private final ConsoleOptions consoleOptions;
    private final Output output;

    /** Done when the run shall end: empty because it was asked to, else with the reason. */
    private final CompletableFuture<Optional<CliFailure>> end = new CompletableFuture<>();

    Up(UpSettings settings, ConsoleOptions consoleOptions, Output output) {
        this.settings = settings;
        this.consoleOptions = consoleOptions;
        this.output = output;
    }

    int run() throws CliFailure, InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger code = new AtomicInteger(Exit.DEFECT.number());
        Thread hook = new Thread(
                () -> {
                    end.complete(Optional.empty());
                    awaitQuietly(over);
                    // The JVM would end with the signal's number, but the run ended as it should.
                    Runtime.getRuntime().halt(code.get());
                },
                "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            code.set(cluster());
            return code.get();
        } catch (CliFailure e) {
            code.set(e.exit().number());
            throw e;
        } finally {
            over.countDown();
            keepFromHalting(hook);
        }
    }

    private static void awaitQuietly(CountDownLatch over) {
        try {
            if (!over.await(WIND_UP.toSeconds(), TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(Exit.DEFECT.number());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void keepFromHalting(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending already, by a signal: the hook does the rest.
        }
    }

    private int cluster() throws CliFailure, InterruptedException {
        try (ClusterFolder folder = ClusterFolder.open(settings)) {
            Watchers watchers = new Watchers(folder);
            try (Onlooker onlooker = onlooker(folder, watchers);
                    Reporter reporter = reporter(watchers, onlooker);
                    UpConsole console = UpConsole.open(
                            settings.data(), consoleOptions.port(), folder::file, watchers::leader, reporter::event)) {
                consoleOptions.show(console, reporter::event);
                Supervisor servers = new Supervisor(folder, servers(folder), listener(reporter));
                Supervisor supervisor = new Supervisor(folder, nodes(folder), listener(reporter));
                Optional<CliFailure> failure = Optional.empty();
                try {
                    servers.startAll();
                    if (folder.file().servers().isPresent()) {
                        Foundation.lay(folder, reporter::event);
                    }
                    if (settings.mempool()) {
                        MempoolServer.await(folder);
                    }
                    supervisor.startAll();
                    watchers.start(reporter);
                    onlooker.start(reporter);
                    if (settings.duty() == UpDuty.TOKENS) {
                        reporter.hint("./baton tokens next voucher" + dataOption());
                    }
                    if (settings.mempool()) {
                        reporter.hint("./baton mempool submit hello" + dataOption());
                    }
                    if (settings.duty() == UpDuty.POSTGRES) {
                        reporter.hint("psql '" + PostgresOnlooker.libpq(folder) + "'");
                    }
                    failure = awaitEnd();
                    onlooker.conclude(watchers::isUp, failure.isEmpty() ? LEVEL : Duration.ZERO);
                } finally {
                    Optional<String> leader = watchers.leader();
                    watchers.close();
                    onlooker.close();
                    supervisor.stopAll(leader);
                    servers.stopAll(Optional.empty()); // last: whoever resigns needs them
                }
                if (onlooker instanceof ChainOnlooker chain) {
                    leaveHeight(folder, chain.top());
                }
                Tally tally = onlooker.tally();
                reporter.verdict(tally);
                if (failure.isPresent()) {
                    throw failure.get();
                }
                return (tally.passed() ? Exit.OK : Exit.FAILED).number();
            }
        }
    }

    private static List<Program> nodes(ClusterFolder folder) {
        return folder.file().nodes().stream()
                .<Program>map(member -> new NodeProgram(folder, member.node()))
                .toList();
    }

    private static List<Program> servers(ClusterFolder folder) throws CliFailure {
        List<Program> programs = new ArrayList<>();
        Optional<Servers> kept = folder.file().servers();
        if (kept.isPresent() && !kept.get().own().isEmpty()) {
            ServerProgram.checkInstalled(kept.get().kind());
            kept.get().own().forEach(server -> programs.add(new ServerProgram(folder.settings(), kept.get(), server)));
        }
        if (folder.settings().mempool()) {
            programs.add(MempoolServer.program(folder));
        }
        if (folder.settings().duty() == UpDuty.REMOTE) {
            folder.file().nodes().forEach(member -> programs.add(new SequencerProgram(folder, member)));
        }
        return programs;
    }

    private Onlooker onlooker(ClusterFolder folder, Watchers watchers) {
        return switch (settings.duty()) {
            case SEQUENCER -> new ChainOnlooker(folder);
            case TOKENS ->
                new TokenOnlooker(
                        folder.file().nodes().stream()
                                .map(member -> "127.0.0.1:" + member.ports().duty())
                                .toList(),
                        settings.interval(),
                        watchers::views);
            case POSTGRES -> new PostgresOnlooker(folder);
            case REMOTE -> new RemoteOnlooker(folder);
        };
    }

    private String dataOption() {
        return dataOption(
                settings.data(),
                Path.of(Optional.ofNullable(System.getenv("BATON_DATA")).orElse("data")));
    }

    /** What a command needs to find this cluster, as a shell reads it; nothing if it looks there anyway. */
    static String dataOption(Path data, Path usual) {
        if (data.equals(usual)) {
            return "";
        }
        String text = data.toString();
        return " --data " + (text.matches("[A-Za-z0-9_./+@%:,-]+") ? text : "'" + text.replace("'", "'\\''") + "'");
    }

    private void leaveHeight(ClusterFolder folder, long top) {
        try {
            folder.saw(top);
        } catch (IOException e) {
            output.remark("the next up will ask the nodes where they were: " + e);
        }
    }

    private Reporter reporter(Watchers watchers, Onlooker onlooker) {
        if (output.isJson()) {
            return new JsonReporter(output);
        }
        return Terminal.isInteractive()
                ? new Screen(output, Terminal.columns(), watchers::views, watchers::servers, onlooker::tally)
                : new PlainReporter(output);
    }

    private Optional<CliFailure> awaitEnd() throws InterruptedException {
        try {
            if (settings.lasting().isEmpty()) {
                return end.get();
            }
            return end.get(settings.lasting().get().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("nobody ends a run that way", e);
        }
    }

    private Supervisor.Listener listener(Reporter reporter) {
        return new Supervisor.Listener() {
            @Override
            public void started(String node, long pid) {
                reporter.event(node + " started, process " + pid);
            }

            @Override
            public void died(String node, long pid, int exitCode, Duration restartIn) {
                reporter.event(node + " died, process " + pid + " ended with " + exitCode + "; restarting in "
                        + restartIn.toSeconds() + " s");
            }

            @Override
            public void hopeless(CliFailure why) {
                end.complete(Optional.of(why));
            }
        };
    }
}
