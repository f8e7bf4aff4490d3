package dev.baton.cli.mempool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows how full the pool is. */
@Command(
        name = "stats",
        description = "Shows how full the pool is, how far it knows the chain, and who watches it.",
        footer = {"%nExamples:", "  baton mempool stats", "  baton mempool stats --json"})
final class MempoolStatsCommand implements Callable<Integer> {

    @Mixin
    private final PoolSource source = new PoolSource();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        JsonNode stats = source.get("/mempool/stats");
        TextTable table = new TextTable("WHAT", "VALUE");
        stats.properties()
                .forEach(field -> table.row(field.getKey(), field.getValue().asText()));
        output.print(stats, table.lines());
        return Exit.OK.number();
    }
}
