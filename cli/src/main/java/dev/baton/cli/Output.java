package dev.baton.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command's answer goes, as words or, with {@code --json}, as JSON: one line per value. Thread-safe. */
public final class Output {

    @Option(names = "--json", description = "Print JSON, one value per line, instead of words.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    public boolean isJson() {
        return json;
    }

    /** One answer in both forms; only the one that is asked for is printed. */
    public void print(JsonNode value, List<String> words) {
        if (json) {
            json(value);
        } else {
            words.forEach(this::line);
        }
    }

    /** What is printed here is lost for good if nobody gets it: that must not look like a success, nor go on. */
    public void printOrFail(JsonNode value, List<String> words) throws CliFailure {
        print(value, words);
        if (out().checkError()) {
            throw new CliFailure(
                    Exit.FAILED,
                    "the output cannot be written to (expected: somebody who reads it, or room where it goes); lost: "
                            + Json.line(value));
        }
    }

    public synchronized void json(JsonNode value) {
        line(Json.line(value));
    }

    public synchronized void line(String line) {
        out().println(line);
        out().flush();
    }

    /** For people only, beside the answer: progress, remarks. */
    public synchronized void remark(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
