package dev.baton.cli.pg;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.command.Steering;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a standby anew. */
@Command(
        name = "reinit",
        description = {
            "Copies everything anew from the primary to this node's standby.",
            "What it has now is kept until the copy is complete. Refused for the primary."
        },
        footer = {"%nExamples:", "  baton pg reinit n3"})
final class PgReinitCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Mixin
    private final Steering steering = new Steering();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Optional<NodeAddress> address = steering.isByAddress()
                ? Optional.empty()
                : Optional.of(steering.target().node(node));
        JsonNode done = steering.post(address, "/reinit", PATIENCE);
        output.print(done, List.of(node + " copies the primary's data anew; baton pg list shows how far it is"));
        return Exit.OK.number();
    }
}
