package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
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

/** Hands the seat to another node, by plan. */
@Command(
        name = "handoff",
        description = "Hands the seat from its holder to another node, and waits until that one leads.",
        footer = {"%nExamples:", "  baton handoff --to n3"})
public final class HandoffCommand implements Callable<Integer> {

    @Mixin
    private final Steering steering = new Steering();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--to", paramLabel = "NODE", required = true, description = "The node that shall lead.")
    private String to = "";

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = Durations.class,
            description = "How long the offer stands (default: 5s).")
    private Duration within = Duration.ofSeconds(5);

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Optional<NodeAddress> holder = Optional.empty();
        if (!steering.isByAddress()) {
            steering.target().node(to);
            holder = Optional.of(steering.target().answering().getFirst());
        }
        JsonNode done = steering.post(
                holder,
                "/handoff?to=" + Steering.encoded(to) + "&validMillis=" + within.toMillis(),
                within.plusSeconds(5));
        output.print(
                done,
                List.of(done.path("from").asText() + " handed the seat to "
                        + done.path("to").asText() + " at height "
                        + done.path("height").asLong() + ", epoch "
                        + done.path("epoch").asLong() + ", in "
                        + Durations.readable(done.path("millis").asLong())));
        return Exit.OK.number();
    }
}
