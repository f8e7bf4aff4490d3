package dev.baton.chaos.run;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Journal;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.report.VerdictLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

    private final Runs runs;

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
            description = "sequencer, tokens, mempool, postgres or remote (default: sequencer).")
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

    public ChaosCommand() {
        this(ChaosRun::run);
    }

    ChaosCommand(Runs runs) {
        this.runs = runs;
    }

    /** The command with its subcommand. */
    public static CommandLine commands() {
        return new CommandLine(new ChaosCommand()).addSubcommand(new MatrixCommand());
    }

    /** What a run with this verdict ends with. */
    public static int exitCode(Judgement.Verdict verdict) {
        return ChaosOptions.exitCode(verdict);
    }

    @Override
    public Integer call() throws IOException {
        ChaosSettings settings = settings();
        try (Interruption interruption = Interruption.expected()) {
            return run(settings);
        }
    }

    private int run(ChaosSettings settings) {
        try {
            ChaosRun.Outcome outcome = runs.run(settings, options::progress);
            if (shrink && outcome.judgement().verdict() == Judgement.Verdict.FAIL && !outcome.wasInterrupted()) {
                shrink(settings, outcome);
            }
            options.tell(outcome);
            return end(
                    VerdictLine.of(outcome.account(), outcome.judgement()),
                    outcome.judgement().verdict());
        } catch (IOException | InterruptedException e) {
            String why = ChaosOptions.whyNot(e);
            options.progress("UNKNOWN: " + why);
            return end(VerdictLine.ofNone(settings.seed(), why), Judgement.Verdict.UNKNOWN);
        }
    }

    private int end(String lastLine, Judgement.Verdict verdict) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(lastLine);
        out.flush();
        return ChaosOptions.exitCode(verdict);
    }

    /** Whatever comes of the search, what was found before stays found. */
    private void shrink(ChaosSettings settings, ChaosRun.Outcome failed) {
        try {
            new Shrinking(runs, options::progress)
                    .search(
                            settings,
                            failed.account().begun().orElseThrow(),
                            failed.judgement().counts().keySet());
        } catch (IOException e) {
            options.progress("shrink: " + e.getMessage());
        }
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
        if (!Files.isRegularFile(replay.get())) {
            throw new ParameterException(
                    spec.commandLine(), "--replay: " + replay.get() + " (expected: the journal of an earlier run)");
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
}
