package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Founds the seats of a configuration on its Redis nodes. */
@Command(
        name = "init",
        description = {
            "Founds the seats of a configuration on its Redis nodes; once, before the first node starts.",
            "Nothing happens if they are founded already. If only some nodes know a seat, the others may have lost it:"
                    + " then nothing is founded, and the message says what helps."
        },
        footer = {"%nExamples:", "  baton init --config node.yaml"})
public final class InitCommand implements Callable<Integer> {

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The configuration of any node.")
    private Path file = Path.of("");

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        NodeConfig config = Configs.read(file);
        String kind = config.authority().kind();
        ObjectNode json = Json.object().put("authority", kind);
        ArrayNode seats = json.putArray("seats");
        if (config.authority().redis().isEmpty()) {
            output.print(
                    json, List.of("nothing to do: with authority.kind " + kind + " the nodes begin by themselves"));
            return Exit.OK.number();
        }
        List<RedisSeats.Founded> founded;
        try {
            founded = RedisSeats.found(config);
        } catch (NodeFailure e) {
            throw Configs.failure(e, "");
        }
        for (RedisSeats.Founded one : founded) {
            ObjectNode seat = seats.addObject()
                    .put("seat", one.seat().seat().value())
                    .put("era", one.seat().era().value())
                    .put("founded", one.now());
            ArrayNode nodes = seat.putArray("nodes");
            one.members().forEach(nodes::add);
        }
        output.print(json, founded.stream().map(RedisSeats.Founded::toString).toList());
        return Exit.OK.number();
    }
}
