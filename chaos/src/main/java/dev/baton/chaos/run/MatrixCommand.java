package dev.baton.chaos.run;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.run.MatrixTable.Cell;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code baton chaos matrix}: every authority, one after the other. */
@Command(
        name = "matrix",
        description = {
            "Runs every authority with every seed, and prints one table.",
            "Exits with 0 if every run is a PASS."
        })
final class MatrixCommand implements Callable<Integer> {

    private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
    private static final int MOST_SEEDS = 1000;

    private final Runs runs;

    @Mixin
    private final ChaosOptions options = new ChaosOptions();

    @Option(
            names = "--seed",
            paramLabel = "N[..M]",
            defaultValue = "1",
            description = "A seed, or the first and the last (default: 1).")
    private String seeds = "1";

    @Option(
            names = "--authority",
            paramLabel = "KIND",
            split = ",",
            description = "Only these (default: raft,redis,etcd,nats).")
    private @Nullable List<String> authorities;

    @Option(
            names = "--duty",
            paramLabel = "DUTY",
            split = ",",
            defaultValue = "sequencer",
            description = "Which of sequencer, tokens, mempool, postgres, remote (default: sequencer).")
    private List<String> duties = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    MatrixCommand() {
        this(ChaosRun::run);
    }

    MatrixCommand(Runs runs) {
        this.runs = runs;
    }

    @Override
    public Integer call() {
        MatrixTable table = new MatrixTable();
        try (Interruption interruption = Interruption.expected()) {
            for (Cell cell : cells()) {
                if (!run(cell, table)) {
                    break;
                }
            }
            options.progress(table.text());
            PrintWriter out = spec.commandLine().getOut();
            out.println(table.line());
            out.flush();
            return ChaosOptions.exitCode(table.worst());
        }
    }

    /** Makes one run; whether to go on. */
    private boolean run(Cell cell, MatrixTable table) {
        ChaosSettings settings = new ChaosSettings(
                cell.authority(),
                cell.duty(),
                cell.seed(),
                options.lasting(spec.commandLine()),
                options.kinds(spec.commandLine()),
                Optional.empty(),
                options.folderAmongOthers(cell.authority() + "-" + cell.duty() + "-" + cell.seed()));
        try {
            ChaosRun.Outcome outcome = runs.run(settings, options::progress);
            options.tell(outcome);
            table.add(cell, outcome.judgement());
            return !outcome.wasInterrupted();
        } catch (IOException | InterruptedException e) {
            table.addNone(cell, ChaosOptions.whyNot(e));
            return e instanceof IOException;
        }
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String authority : authorities == null ? Cluster.AUTHORITIES : authorities) {
            for (String duty : duties) {
                ChaosOptions.requireKnown(spec.commandLine(), authority, duty);
                for (long seed : seeds()) {
                    cells.add(new Cell(authority, duty, seed));
                }
            }
        }
        return cells;
    }

    private long[] seeds() {
        Matcher matcher = SEEDS.matcher(seeds);
        if (!matcher.matches()) {
            throw new ParameterException(spec.commandLine(), "--seed: " + seeds + " (expected: N or N..M)");
        }
        long first = Long.parseLong(matcher.group(1));
        long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
        if (last < first || last - first >= MOST_SEEDS) {
            throw new ParameterException(
                    spec.commandLine(), "--seed: " + seeds + " (expected: at most " + MOST_SEEDS + ", rising)");
        }
        return LongStream.rangeClosed(first, last).toArray();
    }
}
