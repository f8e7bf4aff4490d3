package dev.baton.cli.mempool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists a part of the pool, page by page. */
abstract class MempoolListCommand implements Callable<Integer> {

    @Mixin
    private final PoolSource source = new PoolSource();

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--after",
            paramLabel = "CURSOR",
            defaultValue = "0",
            description = "Begin after this cursor; 0, the default, is the beginning.")
    private long after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "How many (default: 100).")
    private int limit;

    private final String listing;

    private MempoolListCommand(String listing) {
        this.listing = listing;
    }

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        JsonNode page = source.get("/mempool/" + listing + "?after=" + after + "&limit=" + limit);
        TextTable table = new TextTable("CURSOR", "HASH", "STAGE");
        for (JsonNode each : page.path("transactions")) {
            table.row(each.path("cursor").asLong(), each.path("hash").asText(), MempoolStatusCommand.words(each));
        }
        List<String> lines = new ArrayList<>(table.lines());
        if (page.path("hasMore").asBoolean()) {
            lines.add("more: --after " + page.path("next").asLong());
        }
        output.print(page, lines);
        return Exit.OK.number();
    }

    /** What waits to be propagated. */
    @Command(name = "pending", description = "Lists what waits to be propagated, in order of arrival.")
    static final class Pending extends MempoolListCommand {
        Pending() {
            super("pending");
        }
    }

    /** What was propagated. */
    @Command(name = "inflight", description = "Lists what was propagated and has not ended yet.")
    static final class Inflight extends MempoolListCommand {
        Inflight() {
            super("inflight");
        }
    }

    /** What has ended. */
    @Command(name = "finalized", description = "Lists what was finalized or dropped, in that order.")
    static final class Finalized extends MempoolListCommand {
        Finalized() {
            super("finalized");
        }
    }
}
