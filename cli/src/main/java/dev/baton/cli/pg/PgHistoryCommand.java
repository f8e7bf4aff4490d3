package dev.baton.cli.pg;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterTarget;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the last primaries. */
@Command(
        name = "history",
        description = "Lists the last primaries: timeline, node, from which position in the log, and since when.",
        footer = {"%nExamples:", "  baton pg history", "  baton pg history --json"})
final class PgHistoryCommand implements Callable<Integer> {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        JsonNode history = ClusterTarget.expect(
                target.client().get(target.answering().getFirst().http(), "/history"));
        TextTable table = new TextTable("TIMELINE", "NODE", "FROM", "SINCE");
        for (JsonNode reign : history.path("reigns")) {
            table.row(
                    reign.path("timeline").asInt(),
                    reign.path("node").asText(),
                    reign.path("from").asText(),
                    CLOCK.format(Instant.ofEpochMilli(reign.path("sinceMillis").asLong())));
        }
        output.print(history, table.lines());
        return Exit.OK.number();
    }
}
