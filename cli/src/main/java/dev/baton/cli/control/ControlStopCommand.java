package dev.baton.cli.control;

import com.google.protobuf.ByteString;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.admin.v1.StopSequencerResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops a node until it is started. */
@Command(
        name = "stop",
        description = "Makes a node give its seat up, and keeps it from standing again, also after a restart.")
final class ControlStopCommand implements Callable<Integer> {

    @Mixin
    private final ControlLine line = new ControlLine();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the audit.")
    private String reason = "";

    @Option(names = "--force", description = "Do not wait for the entry under way.")
    private boolean force;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        ByteString token = line.token();
        StopSequencerResponse stopped = line.call(stub -> stub.stopSequencer(StopSequencerRequest.newBuilder()
                .setLeaseToken(token)
                .setForce(force)
                .setReason(reason)
                .setRequester(ControlLine.requester())
                .setIdempotencyKey(ControlLine.newKey())
                .setSeat(line.seat())
                .build()));
        output.print(
                Json.object().put("node", line.node()).put("stopped", stopped.getStopped()),
                List.of(line.node() + " is stopped, until baton control start " + line.node()));
        return Exit.OK.number();
    }
}
