package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterTarget;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the terms of the seat. */
@Command(
        name = "history",
        description = "Lists the terms: who held the seat, from when, why it ended, and how long the gap was.",
        footer = {"%nExamples:", "  baton history", "  baton history --limit 5 --json"})
public final class HistoryCommand implements Callable<Integer> {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Only the last N terms (default: 50).")
    private int limit;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (limit < 1) {
            throw new CliFailure(Exit.USAGE, "--limit: " + limit + " (expected: 1 or more)");
        }
        JsonNode history = ClusterTarget.expect(
                target.client().get(target.answering().getFirst().http(), "/history?limit=" + limit));
        output.print(history, words(history.path("terms")));
        return Exit.OK.number();
    }

    private static List<String> words(JsonNode terms) {
        if (terms.isEmpty()) {
            return List.of("no term yet: nobody has committed a block");
        }
        TextTable table = new TextTable("EPOCH", "NODE", "SINCE", "BLOCKS", "GAP BEFORE", "ENDED");
        for (JsonNode term : terms) {
            table.row(
                    term.path("epoch").asLong(),
                    term.path("node").asText(),
                    CLOCK.format(
                            Instant.ofEpochMilli(term.path("openedAtMillis").asLong())),
                    term.path("firstHeight").asLong() + ".."
                            + term.path("lastHeight").asLong(),
                    term.path("gapMillis").isNumber()
                            ? Durations.readable(term.path("gapMillis").asLong())
                            : "-",
                    ending(term.path("ended").asText("null")));
        }
        return new ArrayList<>(table.lines());
    }

    private static String ending(String ended) {
        return switch (ended) {
            case "RESIGNED" -> "resigned";
            case "HANDED_OFF" -> "handed off";
            case "LAPSED" -> "lapsed: its lease ran out, or another was elected";
            case "REPLACED" -> "replaced: its process was gone";
            case "null", "NONE" -> "holds it now";
            default -> ended;
        };
    }
}
