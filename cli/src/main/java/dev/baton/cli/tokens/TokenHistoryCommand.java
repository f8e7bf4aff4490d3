package dev.baton.cli.tokens;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.Stretch;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows where the tokens of a namespace went. */
@Command(
        name = "history",
        description = "Shows where the tokens of a namespace went, term by term, and where there may be gaps.",
        footer = {"%nExamples:", "  baton tokens history voucher"})
final class TokenHistoryCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NAME", description = "The namespace.")
    private String name = "";

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        try (TokenLine line = target.open()) {
            HistoryResponse history = line.ask(
                    target.within(),
                    (node, patience) -> TokenNamespacesGrpc.newBlockingStub(node)
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                            .history(HistoryRequest.newBuilder().setName(name).build()));
            output.print(json(history), lines(history));
        }
        return Exit.OK.number();
    }

    private static ObjectNode json(HistoryResponse history) {
        ObjectNode json =
                Json.object().put("name", history.getName()).put("rememberedFrom", history.getRememberedFrom());
        ArrayNode stretches = json.putArray("stretches");
        for (Stretch stretch : history.getStretchesList()) {
            stretches
                    .addObject()
                    .put("epoch", stretch.getEpoch())
                    .put("revision", stretch.getRevision())
                    .put("firstToken", stretch.getFirstToken())
                    .put("endToken", stretch.getEndToken())
                    .put("firstHeight", stretch.getFirstHeight())
                    .put("lastHeight", stretch.getLastHeight())
                    .put("gapFrom", stretch.getGapFrom());
        }
        return json;
    }

    private static List<String> lines(HistoryResponse history) {
        if (history.getStretchesCount() == 0) {
            return List.of("no token of " + history.getName() + " has been handed out");
        }
        TextTable table = new TextTable("EPOCH", "REVISION", "TOKENS", "HEIGHTS", "MAY BE A GAP");
        for (Stretch stretch : history.getStretchesList()) {
            boolean gap = stretch.getGapFrom() < stretch.getEndToken();
            table.row(
                    stretch.getEpoch(),
                    stretch.getRevision(),
                    stretch.getFirstToken() + ".." + (stretch.getEndToken() - 1),
                    stretch.getFirstHeight() + ".." + stretch.getLastHeight(),
                    gap ? stretch.getGapFrom() + ".." + (stretch.getEndToken() - 1) : "-");
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("remembered from token " + history.getRememberedFrom() + " on");
        return lines;
    }
}
