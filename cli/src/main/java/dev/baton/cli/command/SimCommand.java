package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.sim.Engine;
import dev.baton.sim.Judge;
import dev.baton.sim.Mutant;
import dev.baton.sim.MutantHunt;
import dev.baton.sim.Outcome;
import dev.baton.sim.Scenario;
import dev.baton.sim.Sweep;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs simulated clusters through faults. */
@Command(
        name = "sim",
        description = {
            "Simulates clusters under faults, in virtual time; a seed always gives the same run.",
            "A failure prints what broke, the transcript, and the command that replays it."
        },
        footer = {
            "%nExamples:",
            "  baton sim --seeds 1..1000",
            "  baton sim --engine redis --seeds 17 --transcript",
            "  baton sim --mutants"
        })
public final class SimCommand implements Callable<Integer> {

    private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
    private static final int MOST_SEEDS = 10_000_000;
    private static final int SHOWN_FAILURES = 3;
    private static final int SHOWN_LINES = 150;
    private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(2);

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            defaultValue = "1..200",
            description = "The seeds to run, first and last, or a single one (default: 1..200).")
    private String seeds = "";

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            defaultValue = "all",
            description = "What the nodes run on: memory, redis, or all, which runs each seed on each (default: all).")
    private String engine = "";

    @Option(
            names = "--transcript",
            description = "Print the whole transcript, even if all is well; for a single seed on one engine.")
    private boolean transcript;

    @Option(
            names = "--mutants",
            description = "Break one rule after the other on purpose instead, and check that each is noticed.")
    private boolean mutants;

    @Option(names = "--mutant", paramLabel = "NAME", description = "Run the seeds with this rule broken.")
    private @Nullable String mutant;

    private record Range(long first, long last) {}

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        return (mutants ? hunt() : sweep()).number();
    }

    private Exit sweep() throws CliFailure, InterruptedException {
        Range range = range();
        LongFunction<List<Scenario>> scenarios = scenarios();
        long beganNanos = System.nanoTime();
        long[] ran = {0, beganNanos};
        int each = scenarios.apply(range.first()).size();
        boolean single = range.first() == range.last() && each == 1;
        if (single && transcript) {
            return replay(scenarios.apply(range.first()).getFirst(), range.first());
        }
        Sweep.Result result = Sweep.run(scenarios, range.first(), range.last(), outcome -> {
            ran[0]++;
            if (System.nanoTime() - ran[1] > EACH_NANOS) {
                ran[1] = System.nanoTime();
                output.remark(ran[0] + " of " + (range.last() - range.first() + 1) * each + " runs");
            }
        });
        result.failures().stream().limit(SHOWN_FAILURES).forEach(this::tell);
        verdict(result, range, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos));
        return result.passed() ? Exit.OK : Exit.FAILED;
    }

    private Exit replay(Scenario scenario, long seed) {
        Outcome outcome = scenario.run(seed);
        outcome.transcript().forEach(output::line);
        tellViolations(outcome);
        return outcome.passed() ? Exit.OK : Exit.FAILED;
    }

    private LongFunction<List<Scenario>> scenarios() throws CliFailure {
        if (mutant != null) {
            Scenario broken = mutantNamed(mutant).scenario();
            return seed -> List.of(broken);
        }
        List<Engine.Kind> kinds = kinds();
        return seed -> kinds.stream().map(kind -> Scenario.of(kind, seed)).toList();
    }

    private List<Engine.Kind> kinds() throws CliFailure {
        List<Engine.Kind> all = List.of(Engine.Kind.values());
        if (engine.equals("all")) {
            return all;
        }
        return List.of(all.stream()
                .filter(kind -> nameOf(kind).equals(engine))
                .findFirst()
                .orElseThrow(() ->
                        new CliFailure(Exit.USAGE, "--engine: \"" + engine + "\" (expected: memory, redis or all)")));
    }

    private static Mutant mutantNamed(String name) throws CliFailure {
        return Arrays.stream(Mutant.values())
                .filter(known -> nameOf(known).equals(name))
                .findFirst()
                .orElseThrow(() -> new CliFailure(
                        Exit.USAGE,
                        "--mutant: \"" + name + "\" (expected: one of "
                                + Arrays.stream(Mutant.values())
                                        .map(SimCommand::nameOf)
                                        .collect(Collectors.joining(", "))
                                + ")"));
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Range range() throws CliFailure {
        Matcher matcher = SEEDS.matcher(seeds);
        if (matcher.matches()) {
            long first = Long.parseLong(matcher.group(1));
            long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
            if (first <= last && last - first < MOST_SEEDS) {
                return new Range(first, last);
            }
        }
        throw new CliFailure(
                Exit.USAGE,
                "--seeds: \"" + seeds + "\" (expected: a seed such as 17, or first and last of at most " + MOST_SEEDS
                        + " such as 1..1000)");
    }

    private void tell(Outcome failure) {
        if (output.isJson()) {
            ObjectNode json = Json.object().put("seed", failure.seed()).put("engine", nameOf(failure.engine()));
            ArrayNode violations = json.putArray("violations");
            failure.violations().forEach(violation -> violations.add(violation.toString()));
            output.json(json.put("replay", replayOf(failure)));
            return;
        }
        List<String> lines = failure.transcript();
        output.line(lines.getFirst());
        lines.stream().skip(Math.max(1, lines.size() - SHOWN_LINES)).forEach(output::line);
        tellViolations(failure);
        output.line("replay: " + replayOf(failure));
    }

    private void tellViolations(Outcome outcome) {
        for (Judge.Violation violation : outcome.violations()) {
            output.line("seed " + outcome.seed() + " on " + nameOf(outcome.engine()) + " breaks " + violation);
        }
    }

    private String replayOf(Outcome failure) {
        String world = mutant == null ? "--engine " + nameOf(failure.engine()) : "--mutant " + mutant;
        return "./baton sim " + world + " --seeds " + failure.seed() + " --transcript";
    }

    private void verdict(Sweep.Result result, Range range, long millis) {
        String verdict = result.passed() ? "PASS" : "FAIL";
        long ranSeeds = range.last() - range.first() + 1;
        if (output.isJson()) {
            ObjectNode json = Json.object().put("verdict", verdict).put("seeds", ranSeeds);
            json.put("failures", result.failures().size()).put("runs", result.runs());
            json.put("engine", engine).put("committed", result.committed());
            json.put("terms", result.terms()).put("faults", result.faults());
            output.json(json.put("millis", millis));
            return;
        }
        output.line(verdict + ": " + ranSeeds + " seeds in " + result.runs() + " runs, "
                + result.failures().size() + " failures, " + result.committed() + " entries in " + result.terms()
                + " terms under " + result.faults() + " faults, in " + Durations.readable(millis));
    }

    private Exit hunt() throws InterruptedException {
        List<MutantHunt.Catch> catches = MutantHunt.run(this::tell);
        boolean all = catches.stream().allMatch(MutantHunt.Catch::caught);
        String verdict = all ? "PASS" : "FAIL";
        if (output.isJson()) {
            ObjectNode json = Json.object().put("verdict", verdict);
            ArrayNode list = json.putArray("mutants");
            for (MutantHunt.Catch each : catches) {
                ObjectNode one = list.addObject().put("name", nameOf(each.mutant()));
                one.put("caught", each.caught());
                each.outcome().ifPresent(outcome -> one.put("seed", outcome.seed()));
            }
            output.json(json);
        } else {
            output.line(verdict + ": "
                    + catches.stream().filter(MutantHunt.Catch::caught).count() + " of " + catches.size()
                    + " broken rules were noticed");
        }
        return all ? Exit.OK : Exit.FAILED;
    }

    private void tell(MutantHunt.Catch each) {
        if (output.isJson()) {
            return;
        }
        String how = each.outcome()
                .map(outcome -> "seed " + outcome.seed() + " breaks "
                        + outcome.violations().getFirst())
                .orElse("NOT NOTICED within " + MutantHunt.SEEDS + " seeds");
        output.line(nameOf(each.mutant()) + ": " + how);
    }
}
