package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.sim.Judge;
import dev.baton.sim.Outcome;
import dev.baton.sim.Scenario;
import dev.baton.sim.Sweep;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        footer = {"%nExamples:", "  baton sim --seeds 1..1000", "  baton sim --seeds 17 --transcript"})
public final class SimCommand implements Callable<Integer> {

    private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
    private static final int MOST_SEEDS = 10_000_000;
    private static final int SHOWN_FAILURES = 3;
    private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(2);

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            defaultValue = "1..200",
            description = "The seeds to run, first and last, or a single one (default: 1..200).")
    private String seeds = "";

    @Option(names = "--transcript", description = "Print the transcript even if all is well; for a single seed.")
    private boolean transcript;

    private record Range(long first, long last) {}

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Range range = range();
        long beganNanos = System.nanoTime();
        long[] ran = {0, beganNanos};
        Sweep.Result result = Sweep.run(Scenario.standard(), range.first(), range.last(), outcome -> {
            ran[0]++;
            if (System.nanoTime() - ran[1] > EACH_NANOS) {
                ran[1] = System.nanoTime();
                output.remark(ran[0] + " of " + (range.last() - range.first() + 1) + " seeds");
            }
            if (transcript && range.first() == range.last() && outcome.passed()) {
                outcome.transcript().forEach(output::line);
            }
        });
        result.failures().stream().limit(SHOWN_FAILURES).forEach(this::tell);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
        verdict(result, millis);
        return (result.passed() ? Exit.OK : Exit.FAILED).number();
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
            ObjectNode json = Json.object().put("seed", failure.seed());
            ArrayNode violations = json.putArray("violations");
            failure.violations().forEach(violation -> violations.add(violation.toString()));
            output.json(json.put("replay", replay(failure)));
            return;
        }
        failure.transcript().forEach(output::line);
        for (Judge.Violation violation : failure.violations()) {
            output.line("seed " + failure.seed() + " breaks " + violation);
        }
        output.line("replay: " + replay(failure));
    }

    private static String replay(Outcome failure) {
        return "./baton sim --seeds " + failure.seed();
    }

    private void verdict(Sweep.Result result, long millis) {
        String verdict = result.passed() ? "PASS" : "FAIL";
        if (output.isJson()) {
            ObjectNode json = Json.object().put("verdict", verdict).put("seeds", result.seeds());
            json.put("failures", result.failures().size()).put("committed", result.committed());
            json.put("terms", result.terms()).put("faults", result.faults());
            output.json(json.put("millis", millis));
            return;
        }
        output.line(
                verdict + ": " + result.seeds() + " seeds, " + result.failures().size() + " failures, "
                        + result.committed() + " entries in " + result.terms() + " terms under " + result.faults()
                        + " faults, in " + Durations.readable(millis));
    }
}
