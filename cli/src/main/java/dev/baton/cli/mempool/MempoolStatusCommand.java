package dev.baton.cli.mempool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells where a transaction is. */
@Command(
        name = "status",
        description = "Tells where a transaction is in its life.",
        footer = {"%nExamples:", "  baton mempool status 6f0c…"})
final class MempoolStatusCommand implements Callable<Integer> {

    @Mixin
    private final PoolSource source = new PoolSource();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "HASH", description = "The transaction's hash, 64 hexadecimal digits.")
    private String hash = "";

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        JsonNode status = source.get("/mempool/status/" + hash);
        output.print(status, List.of(words(status)));
        return Exit.OK.number();
    }

    static String words(JsonNode status) {
        String stage = status.path("stage").asText();
        String at = status.path("confirmedAt").asText("");
        return stage
                + (at.isEmpty() || at.equals("null") ? "" : "  in block " + at.substring(0, at.indexOf('.')))
                + (status.path("confirmations").asLong() > 0
                        ? "  confirmations " + status.path("confirmations").asLong()
                        : "")
                + (status.path("nonConfirmations").asLong() > 0
                        ? "  blocks without it "
                                + status.path("nonConfirmations").asLong()
                        : "");
    }
}
