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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps a node from leading until it is resumed; if it leads, it resigns. */
@Command(
        name = "pause",
        description = "Keeps a node from leading until it is resumed; if it leads, it resigns.",
        footer = {"%nExamples:", "  baton pause n1 --why \"disk exchange\""})
public final class PauseCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Mixin
    private final Steering steering = new Steering();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            defaultValue = "by hand",
            description = "The reason, for those who ask the node (default: by hand).")
    private String why = "";

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Optional<NodeAddress> address = steering.isByAddress()
                ? Optional.empty()
                : Optional.of(steering.target().node(node));
        JsonNode done = steering.post(address, "/pause?why=" + Steering.encoded(why), PATIENCE);
        output.print(done, List.of(node + " is paused"));
        return Exit.OK.number();
    }
}
