package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a paused node lead again. */
@Command(
        name = "resume",
        description = "Lets a paused node lead again.",
        footer = {"%nExamples:", "  baton resume n1"})
public final class ResumeCommand implements Callable<Integer> {

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
        JsonNode done = steering.post(address, "/resume", PATIENCE);
        output.print(done, List.of(node + " is resumed"));
        return Exit.OK.number();
    }
}
