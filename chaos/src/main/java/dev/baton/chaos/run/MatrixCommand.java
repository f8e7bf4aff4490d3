package dev.baton.chaos.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.cluster.Cluster;
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
    private static final String ROW = "%-10s %-10s %6s  %-8s %7s %8s %11s %14s%n";

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
            description = "Which of sequencer, tokens, mempool, postgres (default: sequencer).")
    private List<String> duties = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ArrayNode results = JsonNodeFactory.instance.arrayNode();
        StringBuilder table = new StringBuilder(ROW.formatted(
                "authority", "duty", "seed", "verdict", "faults", "commits", "violations", "longest gap ms"));
        int worst = 0;
        try (Interruption interruption = Interruption.expected()) {
            for (Cell cell : cells()) {
                ChaosRun.Outcome outcome = run(cell);
                Judgement judgement = outcome.judgement();
                // FAIL before UNKNOWN, whatever their numbers are.
                int code = ChaosOptions.exitCode(judgement.verdict());
                worst = worst == 0 || judgement.verdict() == Judgement.Verdict.FAIL ? code : worst;
                add(cell, judgement, table, results);
                if (outcome.wasInterrupted()) {
                    break;
                }
            }
            return tell(table, results, worst);
        }
    }

    /** One run of the table. */
    private record Cell(String authority, String duty, long seed) {}

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

    private static void add(Cell cell, Judgement judgement, StringBuilder table, ArrayNode results) {
        long gapMillis = judgement.longestGapNanos() / 1_000_000;
        table.append(ROW.formatted(
                cell.authority(),
                cell.duty(),
                cell.seed(),
                judgement.verdict(),
                judgement.faults(),
                judgement.commits(),
                judgement.violationCount(),
                gapMillis));
        results.addObject()
                .put("authority", cell.authority())
                .put("duty", cell.duty())
                .put("seed", cell.seed())
                .put("verdict", judgement.verdict().name())
                .put("faults", judgement.faults())
                .put("commits", judgement.commits())
                .put("violations", judgement.violationCount())
                .put("longestGapMillis", gapMillis);
    }

    private int tell(StringBuilder table, ArrayNode results, int worst) {
        options.progress(table.toString());
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("verdict", ChaosOptions.verdictOf(worst).name());
        line.set("runs", results);
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
        return worst;
    }

    private ChaosRun.Outcome run(Cell cell) throws IOException, InterruptedException {
        ChaosRun.Outcome outcome = ChaosRun.run(
                new ChaosSettings(
                        cell.authority(),
                        cell.duty(),
                        cell.seed(),
                        options.lasting(spec.commandLine()),
                        options.kinds(spec.commandLine()),
                        Optional.empty(),
                        options.folderAmongOthers(cell.authority() + "-" + cell.duty() + "-" + cell.seed())),
                options::progress);
        options.tell(outcome);
        return outcome;
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
