package dev.baton.cli.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.wire.admin.v1.StatusResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What a node answers to Status. */
@Command(name = "status", description = "Shows what the node says of itself, and a lease token if the caller gets one.")
final class ControlStatusCommand implements Callable<Integer> {

    @Mixin
    private final ControlLine line = new ControlLine();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        StatusResponse status = line.status();
        String token = Base64.getEncoder().encodeToString(status.getLeaseToken().toByteArray());
        ObjectNode json = Json.object()
                .put("node", status.getNode())
                .put("seat", status.getSeat())
                .put("standing", status.getStanding())
                .put("term", status.getTerm().getTerm())
                .put("holder", status.getTerm().getLeaderId())
                .put("height", status.getUnsafe().getL2Number())
                .put("stopped", status.getStopped())
                .put("breakGlass", status.getBreakGlass())
                .put("lastError", status.getLastErr())
                .put("leaseToken", token);
        List<String> words = new ArrayList<>();
        words.add(status.getNode() + " at " + status.getSeat() + ": " + status.getStanding() + ", term "
                + status.getTerm().getTerm() + ", holder " + status.getLeaderHint() + ", height "
                + status.getUnsafe().getL2Number());
        if (!status.getStopped().isEmpty()) {
            words.add(status.getStopped());
        }
        if (!status.getBreakGlass().isEmpty()) {
            words.add("glass " + status.getBreakGlass());
        }
        if (!token.isEmpty()) {
            words.add("lease token " + token);
        }
        output.print(json, words);
        return Exit.OK.number();
    }
}
