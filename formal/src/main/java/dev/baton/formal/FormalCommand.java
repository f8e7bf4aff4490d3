package dev.baton.formal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code baton formal}: asks the model checker about our protocols. */
@Command(
        name = "formal",
        description = {
            "Runs the TLA+ models of our protocols through the model checker TLC.",
            "Our protocol must hold; with a rule broken it must fail, and the trace shows how."
        },
        footer = {
            "%nExamples:",
            "  baton formal",
            "  baton formal --model flaw-blank-votes --trace",
            "  baton formal --full --minutes 15"
        })
public final class FormalCommand implements Callable<Integer> {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--full", description = "Also the bounds that take longer than a build may.")
    private boolean full;

    @Option(names = "--model", paramLabel = "NAME", description = "Only this model; may be repeated.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "60",
            description = "Stop a search after so long and report it as not finished (default: ${DEFAULT-VALUE}).")
    private int minutes = 60;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "How many models run side by side, one core each (default: one for each core).")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--trace", description = "Print how each broken rule leads to its violation.")
    private boolean trace;

    @Option(names = "--json", description = "Print nothing but the result, as one JSON object on the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        List<Model> models = chosen();
        List<Finding> findings = run(models);
        boolean passed = findings.stream().noneMatch(Finding::contradicts);
        long unfinished =
                findings.stream().filter(finding -> !finding.finished()).count();
        String verdict = !passed ? "FAIL" : unfinished > 0 ? "UNFINISHED" : "PASS";
        say(
                spec.commandLine().getOut(),
                json
                        ? asJson(verdict, findings)
                        : verdict + ": " + findings.size() + " models, " + unfinished + " not finished");
        return passed ? 0 : 1;
    }

    private List<Model> chosen() {
        if (names.isEmpty()) {
            return full ? Models.full() : Models.checked();
        }
        List<Model> chosen = Models.full().stream()
                .filter(model -> names.contains(model.name()))
                .toList();
        if (chosen.size() < names.size()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--model: " + String.join(", ", names) + " (expected: among "
                            + String.join(
                                    ", ",
                                    Models.full().stream().map(Model::name).toList()) + ")");
        }
        return chosen;
    }

    private List<Finding> run(List<Model> models) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, jobs))) {
            List<Future<Finding>> running =
                    models.stream().map(model -> pool.submit(() -> run(model))).toList();
            List<Finding> findings = new ArrayList<>();
            for (Future<Finding> future : running) {
                findings.add(future.get());
            }
            return findings;
        }
    }

    private Finding run(Model model) throws Exception {
        Tlc tlc = new Tlc(Duration.ofMinutes(minutes), line -> remark(model.name() + ": " + line));
        Finding finding = tlc.run(model);
        remark((finding.contradicts() ? "WRONG " : "      ") + finding.summary());
        if (!json && finding.violated().isPresent() && (trace || finding.contradicts())) {
            say(spec.commandLine().getOut(), finding.readableTrace());
        }
        return finding;
    }

    private static String asJson(String verdict, List<Finding> findings) {
        ObjectNode result = JSON.createObjectNode().put("verdict", verdict);
        ArrayNode models = result.putArray("models");
        for (Finding finding : findings) {
            models.addObject()
                    .put("name", finding.model().name())
                    .put("expected", finding.model().expectation().name())
                    .put("asExpected", finding.asExpected())
                    .put("finished", finding.finished())
                    .put("violated", finding.violated().orElse(null))
                    .put("states", finding.states())
                    .put("distinct", finding.distinct())
                    .put("traceStates", finding.trace().size())
                    .put("seconds", finding.took().toSeconds());
        }
        return result.toString();
    }

    private void remark(String line) {
        if (!json) {
            say(spec.commandLine().getErr(), line);
        }
    }

    private static synchronized void say(PrintWriter writer, String line) {
        writer.println(line);
        writer.flush();
    }
}
