package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the servers that keep the seats, and changes those of Redis. */
@Command(
        name = "nodes",
        description = {
            "Shows the servers that keep the seats (Redis, etcd, NATS): address, member, height of the tip, promised"
                    + " epoch, trouble.",
            "Those of Redis can be changed while the cluster runs, by add, remove and replace, which answer when the"
                    + " change is committed."
        },
        subcommands = {NodesCommand.Add.class, NodesCommand.Remove.class, NodesCommand.Replace.class},
        footer = {
            "%nExamples:",
            "  baton nodes",
            "  baton nodes add 10.0.0.9:6379",
            "  baton nodes replace 10.0.0.7:6379 10.0.0.9:6379"
        })
public final class NodesCommand implements Callable<Integer> {

    /** Longer than the node waits itself, so that its own words arrive. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String NEW_NODE = "The host:port of a Redis that knows nothing of the seat.";

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    /** As the holder sees them, or else any node that answers. */
    @Override
    public Integer call() throws CliFailure, InterruptedException {
        NodeAddress node = target.answering().getFirst();
        JsonNode answer = ClusterTarget.expect(target.client().get(node.http(), "/nodes"));
        List<String> words = new ArrayList<>();
        answer.path("seats").forEach(seat -> words.addAll(words(seat)));
        output.print(answer, words);
        return Exit.OK.number();
    }

    /** Sends a change to the holder of the seat. */
    abstract static class Change implements Callable<Integer> {

        @Mixin
        private final Steering steering = new Steering();

        @Mixin
        private final Output output = new Output();

        @Option(names = "--seat", paramLabel = "NAME", description = "The seat (default: the first one).")
        private Optional<String> seat = Optional.empty();

        abstract Optional<String> leaving();

        abstract Optional<String> arriving();

        @Override
        public Integer call() throws CliFailure, InterruptedException {
            Optional<NodeAddress> holder = steering.isByAddress()
                    ? Optional.empty()
                    : Optional.of(steering.target().answering().getFirst());
            StringBuilder path = new StringBuilder("/nodes/change?");
            seat.ifPresent(
                    name -> path.append("seat=").append(Steering.encoded(name)).append('&'));
            leaving()
                    .ifPresent(node ->
                            path.append("leave=").append(Steering.encoded(node)).append('&'));
            arriving()
                    .ifPresent(node ->
                            path.append("enter=").append(Steering.encoded(node)).append('&'));
            path.setLength(path.length() - 1);
            JsonNode changed = steering.post(holder, path.toString(), PATIENCE);
            List<String> words = new ArrayList<>(List.of("committed"));
            words.addAll(words(changed));
            output.print(changed, words);
            return Exit.OK.number();
        }
    }

    /** One more. */
    @Command(
            name = "add",
            description = "Takes a Redis node into the seat's node set.",
            footer = {"%nExamples:", "  baton nodes add 10.0.0.9:6379"})
    static final class Add extends Change {

        @Parameters(paramLabel = "HOST:PORT", description = NEW_NODE)
        private String node = "";

        @Override
        Optional<String> leaving() {
            return Optional.empty();
        }

        @Override
        Optional<String> arriving() {
            return Optional.of(node);
        }
    }

    /** One less. */
    @Command(
            name = "remove",
            description = "Takes a Redis node out of the seat's node set; it may be gone already.",
            footer = {"%nExamples:", "  baton nodes remove 10.0.0.7:6379"})
    static final class Remove extends Change {

        @Parameters(paramLabel = "HOST:PORT", description = "The host:port of the Redis that leaves.")
        private String node = "";

        @Override
        Optional<String> leaving() {
            return Optional.of(node);
        }

        @Override
        Optional<String> arriving() {
            return Optional.empty();
        }
    }

    /** One for another. */
    @Command(
            name = "replace",
            description = "Takes a Redis node out of the seat's node set and another one in, in one step.",
            footer = {"%nExamples:", "  baton nodes replace 10.0.0.7:6379 10.0.0.9:6379"})
    static final class Replace extends Change {

        @Parameters(index = "0", paramLabel = "OLD", description = "The host:port of the Redis that leaves.")
        private String old = "";

        @Parameters(index = "1", paramLabel = "NEW", description = NEW_NODE)
        private String node = "";

        @Override
        Optional<String> leaving() {
            return Optional.of(old);
        }

        @Override
        Optional<String> arriving() {
            return Optional.of(node);
        }
    }

    private static List<String> words(JsonNode seat) {
        TextTable table = new TextTable("SERVER", "MEMBER", "TIP", "PROMISED", "TROUBLE");
        for (JsonNode node : seat.path("nodes")) {
            table.row(
                    node.path("address").asText(),
                    node.path("member").asText("-"),
                    node.path("height").asText("-"),
                    node.path("promised").asText("-"),
                    node.path("trouble").asText(""));
        }
        List<String> words = new ArrayList<>();
        words.add("seat " + seat.path("seat").asText() + ", era "
                + seat.path("era").asInt());
        words.addAll(table.lines());
        return words;
    }
}
