package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Looks at configurations without running them. */
@Command(
        name = "config",
        description = "Looks at a node's configuration.",
        subcommands = ConfigCommand.Check.class,
        footer = {"%nExamples:", "  baton config check node.yaml"})
public final class ConfigCommand {

    /** Reads a file as a node would, and says everything that is wrong with it. */
    @Command(
            name = "check",
            description = "Reads a configuration as a node would: prints every fault at once, or what follows from it.")
    static final class Check implements Callable<Integer> {

        @Mixin
        private final Output output = new Output();

        @Parameters(paramLabel = "FILE", description = "The node's configuration.")
        private Path file = Path.of("");

        @Override
        public Integer call() {
            try {
                NodeConfig config = ConfigReader.read(file);
                output.print(good(config), config.describe().lines().toList());
                return Exit.OK.number();
            } catch (ConfigException e) {
                output.print(bad(e.faults()), words(e.faults()));
                return Exit.CONFIGURATION.number();
            }
        }

        private List<String> words(List<Fault> faults) {
            List<String> words = new ArrayList<>();
            faults.forEach(fault -> words.add(fault.toString()));
            words.add(file + ": " + faults.size() + (faults.size() == 1 ? " fault" : " faults"));
            return words;
        }

        private static ObjectNode bad(List<Fault> faults) {
            ObjectNode json = Json.object().put("valid", false);
            ArrayNode list = json.putArray("faults");
            for (Fault fault : faults) {
                list.addObject()
                        .put("key", fault.key())
                        .put("value", fault.value())
                        .put("expected", fault.expected());
            }
            return json;
        }

        private static ObjectNode good(NodeConfig config) {
            ObjectNode json = Json.object().put("valid", true);
            json.put("cluster", config.cluster().value())
                    .put("node", config.node().value());
            json.put("authority", config.authority().kind());
            ArrayNode warnings = json.putArray("warnings");
            config.warnings().forEach(warnings::add);
            ArrayNode seats = json.putArray("seats");
            for (SeatConfig seat : config.seats()) {
                SeatTimings timings = seat.timings();
                seats.addObject()
                        .put("seat", seat.name().value())
                        .put("duty", seat.duty())
                        .put("intervalMillis", timings.interval().toMillis())
                        .put("timeoutMillis", timings.timeout().toMillis())
                        .put("failureThreshold", timings.policy().failureThreshold())
                        .put("successThreshold", timings.policy().successThreshold())
                        .put("fenceAfterMillis", timings.fenceAfter().toMillis())
                        .put("takeoverDelayMillis", timings.takeoverDelay().toMillis());
            }
            return json;
        }
    }
}
