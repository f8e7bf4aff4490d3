package dev.baton.bench;

import dev.baton.node.BuildInfo;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a benchmark speaks: progress to standard error, its result to standard output. */
final class BenchOutput {

    static final String RAFT = "raft";
    static final String REDIS = "redis";

    private static final List<String> AUTHORITIES = List.of(RAFT, REDIS);

    @Option(names = "--json", description = "Print nothing but the result, as one JSON object on the last line.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    void progress(String line) {
        if (!json && command != null) {
            command.commandLine().getErr().println(line);
        }
    }

    void result(Result result) {
        if (command != null) {
            PrintWriter out = command.commandLine().getOut();
            out.println(result.toJson(BuildInfo.commit()));
            out.flush();
        }
    }

    void requireKnown(String authority, String... further) {
        List<String> known = new ArrayList<>(AUTHORITIES);
        known.addAll(List.of(further));
        if (!known.contains(authority) && command != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--authority: " + authority + " (expected: one of " + String.join(", ", known) + ")");
        }
    }
}
