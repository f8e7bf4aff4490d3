package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisRecovery;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings a seat back that its Redis nodes have forgotten. */
@Command(
        name = "recover",
        description = {
            "Brings a seat back that a majority of its Redis nodes has forgotten: in the next era, from the last block"
                    + " in the stores of the nodes, which must be stopped.",
            "Without --yes-raise-era it only shows what it finds. Name every node's data folder: a block that none of"
                    + " them has is lost, even if it was acknowledged."
        },
        footer = {
            "%nExamples:",
            "  baton recover --config n1.yaml --era 2 --store /srv/n2 --store /srv/n3",
            "  baton recover --config n1.yaml --era 2 --store /srv/n2 --store /srv/n3 --yes-raise-era"
        })
public final class RecoverCommand implements Callable<Integer> {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The configuration of a node; its data folder is one of the stores.")
    private Path file = Path.of("");

    @Option(names = "--era", paramLabel = "N", required = true, description = "The new era: one above the lost one.")
    private int era;

    @Option(names = "--store", paramLabel = "DIR", description = "The data folder of another node; may be repeated.")
    private List<Path> stores = List.of();

    @Option(names = "--seat", paramLabel = "NAME", description = "The seat (default: the only one).")
    private Optional<String> seatName = Optional.empty();

    @Option(names = "--yes-raise-era", description = "Do it.")
    private boolean yes;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure {
        NodeConfig config = Configs.read(file);
        if (config.authority().redis().isEmpty()) {
            throw new CliFailure(
                    Exit.USAGE,
                    "authority.kind: " + config.authority().kind() + " (expected: redis; on Raft a node that lost its"
                            + " disk comes back with baton node --join)");
        }
        SeatConfig seat = seat(config);
        if (era != seat.era().value() + 1) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--era: " + era + " (expected: " + (seat.era().value() + 1) + ", one above the era of "
                            + seat.name() + " in " + file + ")");
        }
        List<Path> folders = new ArrayList<>(List.of(config.data()));
        folders.addAll(stores);
        try {
            RedisRecovery.Plan plan = RedisRecovery.survey(config, seat, folders);
            if (!yes) {
                throw new CliFailure(
                        Exit.REFUSED,
                        String.join("\n", plan.found()) + "\n" + plan.next() + " would begin with " + plan.base()
                                + "; nothing was changed. If every store was named and no node runs, do it with"
                                + " --yes-raise-era");
            }
            RedisSeats.Founded founded = RedisRecovery.carryOut(config, plan);
            output.print(json(plan, founded), words(plan, founded));
        } catch (NodeFailure e) {
            throw Configs.failure(e, "");
        }
        return Exit.OK.number();
    }

    private SeatConfig seat(NodeConfig config) throws CliFailure {
        List<String> names =
                config.seats().stream().map(seat -> seat.name().value()).toList();
        return config.seats().stream()
                .filter(seat -> seatName.map(seat.name().value()::equals).orElse(names.size() == 1))
                .findFirst()
                .orElseThrow(() -> new CliFailure(
                        Exit.USAGE, "--seat: " + seatName.orElse("missing") + " (expected: one of " + names + ")"));
    }

    private static ObjectNode json(RedisRecovery.Plan plan, RedisSeats.Founded founded) {
        ObjectNode json = Json.object()
                .put("seat", plan.next().seat().value())
                .put("era", plan.next().era().value())
                .put("eraBase", plan.base().height().value())
                .put("hash", plan.base().hash().toString());
        ArrayNode nodes = json.putArray("nodes");
        founded.members().forEach(nodes::add);
        return json;
    }

    private static List<String> words(RedisRecovery.Plan plan, RedisSeats.Founded founded) {
        List<String> words = new ArrayList<>(plan.found());
        words.add(founded + ", beginning with " + plan.base());
        words.add("now set, for seat " + plan.next().seat() + " in the configuration of every node, and start them:");
        words.add("  era: " + plan.next().era());
        words.add("  era-base: " + plan.base().height());
        return words;
    }
}
