package dev.baton.cli.control;

import com.google.protobuf.ByteString;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StartSequencerResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets a stopped node stand for its seat again. */
@Command(name = "start", description = "Lets a stopped node stand for its seat again.")
final class ControlStartCommand implements Callable<Integer> {

    @Mixin
    private final ControlLine line = new ControlLine();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the audit.")
    private String reason = "";

    @Option(names = "--from-safe-head", description = "Only if everything that is committed is published.")
    private boolean fromSafeHead;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        ByteString token = line.token();
        StartSequencerResponse started = line.call(stub -> stub.startSequencer(StartSequencerRequest.newBuilder()
                .setFromUnsafeHead(!fromSafeHead)
                .setLeaseToken(token)
                .setReason(reason)
                .setRequester(ControlLine.requester())
                .setIdempotencyKey(ControlLine.newKey())
                .setSeat(line.seat())
                .build()));
        output.print(
                Json.object()
                        .put("node", line.node())
                        .put("activated", started.getActivated())
                        .put("term", started.getTerm().getTerm())
                        .put("holder", started.getTerm().getLeaderId()),
                List.of(
                        started.getActivated()
                                ? line.node() + " leads, in term "
                                        + started.getTerm().getTerm()
                                : line.node() + " stands by; "
                                        + started.getTerm().getLeaderId() + " holds the seat"));
        return Exit.OK.number();
    }
}
