package dev.baton.chaos.run;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Journal;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.report.VerdictLine;
import dev.baton.chaos.shrink.Shrink;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton chaos …}: one run. */
@Command(
        name = "chaos",
        description = {
            "Runs a cluster of real processes, breaks it in many ways at once, and judges what clients saw.",
            "Exits with 0 on PASS only."
        },
        footer = {
            "%nExamples:",
            "  baton chaos --authority redis --seed 7 --for 60s",
            "  baton chaos --authority raft --duty tokens --faults kill,pause,partition",
            "  baton chaos --replay chaos-reports/raft-sequencer-1-1/journal.jsonl",
            "  baton chaos matrix --for 30s --seed 1..5"
        })
public final class ChaosCommand implements Callable<Integer> {

    private static final int MOST_TRIES = 40;

    @Mixin
    private final ChaosOptions options = new ChaosOptions();

    @Option(
            names = "--authority",
            paramLabel = "KIND",
            defaultValue = "raft",
            description = "raft, redis, etcd or nats (default: raft).")
    private String authority = "raft";

    @Option(
            names = "--duty",
            paramLabel = "DUTY",
            defaultValue = "sequencer",
            description = "sequencer or tokens (default: sequencer).")
    private String duty = "sequencer";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Fixes the schedule of faults and the workload (default: 1).")
    private long seed = 1;

    @Option(
            names = "--replay",
            paramLabel = "JOURNAL",
            description = "Repeat the schedule of an earlier run, on its authority, duty and seed.")
    private Optional<Path> replay = Optional.empty();

    @Option(names = "--shrink", description = "After a FAIL, look for a shorter schedule that fails too.")
    private boolean shrink;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The command with its subcommand. */
    public static CommandLine commands() {
        return new CommandLine(new ChaosCommand()).addSubcommand(new MatrixCommand());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChaosSettings settings = settings();
        ChaosRun.Outcome outcome = ChaosRun.run(settings, options::progress);
        if (outcome.judgement().verdict() == Judgement.Verdict.FAIL && shrink) {
            shrink(settings, outcome);
        }
        options.tell(outcome);
        PrintWriter out = spec.commandLine().getOut();
        out.println(VerdictLine.of(outcome.account(), outcome.judgement()));
        out.flush();
        return ChaosOptions.exitCode(outcome.judgement().verdict());
    }

    private ChaosSettings settings() throws IOException {
        if (replay.isEmpty()) {
            ChaosOptions.requireKnown(spec.commandLine(), authority, duty);
            return new ChaosSettings(
                    authority,
                    duty,
                    seed,
                    options.lasting(spec.commandLine()),
                    options.kinds(spec.commandLine()),
                    Optional.empty(),
                    options.folder(authority + "-" + duty + "-" + seed));
        }
        Event.Begun begun = Journal.read(replay.get()).begun();
        return new ChaosSettings(
                begun.setting().authority(),
                begun.setting().duty(),
                begun.setting().seed(),
                Duration.ofNanos(begun.setting().lastingNanos()),
                EnumSet.allOf(FaultKind.class),
                Optional.of(begun.plan()),
                options.folder("replay-" + begun.setting().seed()));
    }

    private void shrink(ChaosSettings settings, ChaosRun.Outcome failed) throws IOException {
        AtomicInteger tries = new AtomicInteger();
        List<PlannedFault> plan =
                failed.account().begun().map(Event.Begun::plan).orElse(List.of());
        Shrink.Outcome<PlannedFault> found = Shrink.search(
                plan,
                part -> {
                    int number = tries.incrementAndGet();
                    options.progress(
                            "shrink: try " + number + " with " + part.size() + " of " + plan.size() + " faults");
                    return fails(settings.with(part, settings.report().resolve("shrink-" + number)));
                },
                () -> tries.get() < MOST_TRIES && !Thread.currentThread().isInterrupted());
        StringBuilder text = new StringBuilder();
        found.smallest().forEach(each -> text.append(each).append('\n'));
        Path file = Files.writeString(settings.report().resolve("shrunk.txt"), text.toString());
        options.progress("shrink: " + found.smallest().size() + " faults still fail after " + found.tries() + " tries"
                + (found.minimal() ? "" : ", not searched to the end") + ": " + file);
    }

    private static boolean fails(ChaosSettings settings) {
        try {
            return ChaosRun.run(settings, line -> {}).judgement().verdict() == Judgement.Verdict.FAIL;
        } catch (IOException e) {
            throw new IllegalStateException("a try could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
