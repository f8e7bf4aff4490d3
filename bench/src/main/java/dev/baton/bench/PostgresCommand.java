package dev.baton.bench;

import dev.baton.bench.postgres.Change;
import dev.baton.bench.postgres.PostgresBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "postgres",
        description = {
            "Takes the primary of a real PostgreSQL away: killed, unplugged, frozen, and by plan; and measures what writers"
                    + " see.",
            "A pulse every 500 ms, fenced after two failures, a margin of 2 s. Progress goes to standard error."
        },
        footer = {
            "%nExamples:",
            "  baton bench postgres --json",
            "  baton bench postgres --quick",
            "  baton bench postgres --kind frozen --rounds 3"
        })
final class PostgresCommand implements Callable<Integer> {

    private static final int QUICK_ROUNDS = 2;
    private static final String PATRONI = "patroni";
    private static final double UNPLANNED_AT_MOST_MILLIS = 7_000;
    private static final double PLANNED_AT_MOST_MILLIS = 2_000;

    @Mixin
    private final BenchOutput output = new BenchOutput();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--rounds", defaultValue = "10", description = "How often each. Default: ${DEFAULT-VALUE}.")
    private int rounds = 10;

    @Option(names = "--quick", description = "Two rounds of each.")
    private boolean quick;

    @Option(
            names = "--kind",
            split = ",",
            description = "Only these: killed, unplugged, frozen, switchover. Default: all.")
    private List<String> kinds = List.of();

    @Option(
            names = "--mode",
            defaultValue = "synchronous",
            description =
                    "When a commit is acknowledged: asynchronous, synchronous or strict. Default: ${DEFAULT-VALUE}.")
    private String mode = "synchronous";

    @Option(names = "--against", description = "Run the same rounds on this, if it is installed: patroni.")
    private Optional<String> against = Optional.empty();

    /** One of those that are measured. */
    private interface Opening {
        PostgresBench in(Path folder) throws IOException;
    }

    @Override
    public Integer call() throws Exception {
        List<Change> changes = changes();
        against.ifPresent(this::check);
        List<String> missed = new ArrayList<>();
        Map<String, Object> own =
                measure(changes, folder -> PostgresBench.ofBaton(folder, mode, this::progress), missed);
        Result result = new Result(missed.isEmpty())
                .with("rounds", quick ? QUICK_ROUNDS : rounds)
                .with("mode", mode)
                .with("reach", "p95 at most 7 s unplanned and 2 s by plan, nothing lost, never two primaries")
                .with("missed", missed);
        own.forEach(result::with);
        if (against.isPresent()) {
            result.with(PATRONI, PostgresBench.isPatroniInstalled() ? patroni(changes) : "not installed");
        }
        output.result(result);
        return missed.isEmpty() ? 0 : 1;
    }

    private Map<String, Object> patroni(List<Change> changes) throws Exception {
        Map<String, Object> measured = new LinkedHashMap<>();
        progress("Patroni with its defaults: ttl 30, loop_wait 10, retry_timeout 10");
        measured.put(
                "defaults",
                measure(
                        changes,
                        folder -> PostgresBench.ofPatroni(folder, mode, false, this::progress),
                        new ArrayList<>()));
        progress("Patroni with the shortest times that it takes: ttl 20, loop_wait 1, retry_timeout 3");
        measured.put(
                "fastest",
                measure(
                        changes,
                        folder -> PostgresBench.ofPatroni(folder, mode, true, this::progress),
                        new ArrayList<>()));
        return measured;
    }

    private Map<String, Object> measure(List<Change> changes, Opening opening, List<String> missed) throws Exception {
        Path folder = Files.createTempDirectory("baton-bench");
        try (PostgresBench bench = opening.in(folder)) {
            bench.run(changes, quick ? QUICK_ROUNDS : rounds);
            Map<String, Object> downtime = new LinkedHashMap<>();
            for (Change change : changes) {
                Sample sample = new Sample();
                bench.gapNanos(change).forEach(sample::add);
                downtime.put(change.word(), sample.summary());
                double atMost = change.isUnplanned() ? UNPLANNED_AT_MOST_MILLIS : PLANNED_AT_MOST_MILLIS;
                if (!(sample.millisAt(0.95) <= atMost)) {
                    missed.add(change.word() + ": p95 above " + atMost + " ms");
                }
            }
            if (bench.lostRows() > 0 && !mode.equals("asynchronous")) {
                missed.add(bench.lostRows() + " acknowledged rows lost");
            }
            if (!bench.twoPrimaries().isZero()) {
                missed.add("two primaries took writes");
            }
            Map<String, Object> measured = new LinkedHashMap<>();
            measured.put("downtime", downtime);
            measured.put("acknowledgedRows", bench.acknowledgedRows());
            measured.put("lostRows", bench.lostRows());
            measured.put("twoPrimariesMillis", bench.twoPrimaries().toMillis());
            return measured;
        } finally {
            Folders.delete(folder);
        }
    }

    private void progress(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    private List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (String kind : kinds) {
            changes.add(Stream.of(Change.values())
                    .filter(change -> change.word().equals(kind))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "--kind: " + kind + " (expected: killed, unplugged, frozen or switchover)")));
        }
        return changes.isEmpty() ? List.of(Change.values()) : changes;
    }

    private void check(String other) {
        if (!other.equals(PATRONI)) {
            throw new ParameterException(spec.commandLine(), "--against: " + other + " (expected: patroni)");
        }
        if (!PostgresBench.isPatroniInstalled()) {
            progress("patroni is not installed (expected: patroni on the PATH); only Baton is measured");
        }
    }
}
