package dev.baton.chaos.run;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.workload.DutyKinds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every chaos command takes, and where it speaks: progress to standard error, its result to standard output. */
final class ChaosOptions {

    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(s|m|h)");
    private static final int FAILED = 1;

    /** Not 2: that is how a wrong command line ends. */
    private static final int UNKNOWN = 7;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "60s", description = "How long (default: 60s).")
    private String lasting = "60s";

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            split = ",",
            description = "Only these kinds, as kill,pause,partition (default: all that apply).")
    private @Nullable List<String> faults;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Where the journal and the report go (default: a new folder below ./chaos-reports).")
    private Optional<Path> report = Optional.empty();

    @Option(names = "--json", description = "Print nothing but the result, as one JSON object on the last line.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    void progress(String line) {
        if (!json && command != null) {
            command.commandLine().getErr().println(line);
        }
    }

    /** The verdict in words, and what was found. */
    void tell(ChaosRun.Outcome outcome) {
        Judgement judgement = outcome.judgement();
        judgement.violations().forEach(each -> progress("  " + each.rule().id() + ": " + each.text()));
        judgement.doubts().forEach(each -> progress("  in doubt: " + each));
        progress(judgement.verdict() + ": " + judgement.faults() + " faults, " + judgement.commits()
                + " heights committed, " + judgement.violationCount() + " violations; " + outcome.page());
    }

    Duration lasting(CommandLine line) {
        Matcher matcher = TIME.matcher(lasting);
        if (!matcher.matches()) {
            throw new ParameterException(line, "--for: " + lasting + " (expected: a time as 60s, 20m or 2h)");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration time = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        if (time.compareTo(Duration.ofSeconds(5)) < 0) {
            throw new ParameterException(line, "--for: " + lasting + " (expected: 5s or longer)");
        }
        return time;
    }

    Set<FaultKind> kinds(CommandLine line) {
        if (faults == null) {
            return Nemesis.KINDS;
        }
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String label : faults) {
            kinds.add(Arrays.stream(FaultKind.values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            line,
                            "--faults: " + label + " (expected: of "
                                    + Arrays.stream(FaultKind.values())
                                            .map(FaultKind::label)
                                            .collect(Collectors.joining(", "))
                                    + ")")));
        }
        return kinds;
    }

    /** A folder that is not there yet. */
    Path folder(String name) {
        if (report.isPresent() && !Files.exists(report.get())) {
            return report.get();
        }
        Path base = report.orElse(Path.of("chaos-reports"));
        return below(base, name);
    }

    /** A folder of this name that is not there yet, below the one for all runs. */
    Path folderAmongOthers(String name) {
        return below(report.orElse(Path.of("chaos-reports")), name);
    }

    private static Path below(Path base, String name) {
        for (int i = 1; ; i++) {
            Path folder = base.resolve(name + "-" + i);
            if (!Files.exists(folder)) {
                return folder;
            }
        }
    }

    static void requireKnown(CommandLine line, String authority, String duty) {
        if (!Cluster.AUTHORITIES.contains(authority)) {
            throw new ParameterException(
                    line,
                    "--authority: " + authority + " (expected: one of " + String.join(", ", Cluster.AUTHORITIES) + ")");
        }
        if (!DutyKinds.names().contains(duty)) {
            throw new ParameterException(
                    line, "--duty: " + duty + " (expected: one of " + String.join(", ", DutyKinds.names()) + ")");
        }
    }

    /** Why a run could not be made, for people to read. */
    static String whyNot(Exception trouble) {
        return trouble instanceof InterruptedException
                ? "it was interrupted before it began"
                : "it could not be run: " + trouble.getMessage();
    }

    static int exitCode(Judgement.Verdict verdict) {
        return switch (verdict) {
            case PASS -> 0;
            case FAIL -> FAILED;
            case UNKNOWN -> UNKNOWN;
        };
    }
}
