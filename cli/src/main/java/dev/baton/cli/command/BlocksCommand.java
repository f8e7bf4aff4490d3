package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows blocks. */
@Command(
        name = "blocks",
        description = "Lists, follows or shows blocks.",
        subcommands = {BlocksCommand.ListBlocks.class, BlocksCommand.Tail.class, BlocksCommand.Show.class},
        footer = {"%nExamples:", "  baton blocks list --limit 5", "  baton blocks tail --json", "  baton blocks show 42"
        })
public final class BlocksCommand {

    /** What all of them share: the cluster, and which of its nodes is asked. */
    static final class Source {
        @Mixin
        private final ClusterTarget target = new ClusterTarget();

        @Option(names = "--node", paramLabel = "NODE", description = "Ask this node; the leader if absent.")
        private Optional<String> node = Optional.empty();

        NodeAddress address() throws CliFailure, InterruptedException {
            return node.isPresent()
                    ? target.node(node.get())
                    : target.answering().getFirst();
        }

        JsonNode get(String path) throws CliFailure, InterruptedException {
            return ClusterTarget.expect(target.client().get(address().http(), path));
        }
    }

    /** Some blocks, oldest first. */
    @Command(name = "list", description = "Lists blocks, oldest first; the last ones unless told where to begin.")
    static final class ListBlocks implements Callable<Integer> {
        @Mixin
        private final Source source = new Source();

        @Mixin
        private final Output output = new Output();

        @Option(names = "--from", paramLabel = "HEIGHT", description = "The first height.")
        private Optional<Long> from = Optional.empty();

        @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many (default: 20).")
        private int limit;

        @Override
        public Integer call() throws CliFailure, InterruptedException {
            if (limit < 1 || (from.isPresent() && from.get() < 1)) {
                throw new CliFailure(Exit.USAGE, "--from, --limit (expected: 1 or more of each)");
            }
            long first = from.isPresent() ? from.get() : Math.max(1, head() - limit + 1);
            JsonNode page = source.get("/blocks?from=" + first + "&limit=" + limit);
            TextTable table = new TextTable("HEIGHT", "HASH", "EPOCH", "NODE", "TRANSACTIONS", "BYTES", "TIME");
            for (JsonNode block : page.path("blocks")) {
                table.row(
                        block.path("height").asLong(),
                        shortened(block.path("hash").asText()),
                        block.path("epoch").asLong(),
                        block.path("signer").asText("-"),
                        block.path("transactions").asLong(),
                        block.path("bytes").asLong(),
                        time(block));
            }
            output.print(page, table.lines());
            return Exit.OK.number();
        }

        private long head() throws CliFailure, InterruptedException {
            return source.get("/status").path("seats").path(0).path("height").asLong();
        }
    }

    /** New blocks as they come. */
    @Command(name = "tail", description = "Prints each new block as it comes, until stopped.")
    static final class Tail implements Callable<Integer> {
        @Mixin
        private final Source source = new Source();

        @Mixin
        private final Output output = new Output();

        @Option(names = "--from", paramLabel = "HEIGHT", description = "Begin at this height instead of the head.")
        private Optional<Long> from = Optional.empty();

        @Option(names = "--count", paramLabel = "N", description = "End after N blocks.")
        private Optional<Long> count = Optional.empty();

        @Override
        public Integer call() throws CliFailure, InterruptedException {
            NodeAddress node = source.address();
            long first = from.isPresent() ? from.get() : head(node) + 1;
            long[] seen = {0};
            Optional<Reply> end = source.target.client().follow(node.http(), "/blocks/tail?from=" + first, block -> {
                output.print(block, List.of(line(block)));
                seen[0]++;
                return count.isEmpty() || seen[0] < count.get();
            });
            if (end.isPresent()) {
                ClusterTarget.expect(end.get());
            }
            return Exit.OK.number();
        }

        private long head(NodeAddress node) throws CliFailure, InterruptedException {
            return ClusterTarget.expect(source.target.client().get(node.http(), "/status"))
                    .path("seats")
                    .path(0)
                    .path("height")
                    .asLong();
        }
    }

    /** One block with its transactions. */
    @Command(name = "show", description = "Shows one block and its transactions.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private final Source source = new Source();

        @Mixin
        private final Output output = new Output();

        @Parameters(paramLabel = "HEIGHT", description = "The height of the block.")
        private long height;

        @Override
        public Integer call() throws CliFailure, InterruptedException {
            if (height < 1) {
                throw new CliFailure(Exit.USAGE, "HEIGHT: " + height + " (expected: 1 or more)");
            }
            JsonNode block = source.get("/blocks/" + height);
            output.print(block, words(block));
            return Exit.OK.number();
        }

        private static List<String> words(JsonNode block) {
            List<String> words = new ArrayList<>();
            words.add("height  " + block.path("height").asLong());
            words.add("hash    " + block.path("hash").asText());
            words.add("parent  " + block.path("parent").asText());
            words.add("epoch   " + block.path("epoch").asLong());
            words.add("node    " + block.path("signer").asText("-")
                    + (block.path("signed").asBoolean() ? " (signed)" : " (not signed)"));
            words.add("time    " + time(block));
            JsonNode transactions = block.path("transactions");
            words.add("transactions  " + (transactions.isArray() ? transactions.size() : transactions.asLong()));
            for (JsonNode transaction : transactions) {
                String text = transaction.path("utf8").asText("");
                words.add("  " + shortened(transaction.path("hash").asText()) + "  "
                        + transaction.path("size").asLong() + " bytes  "
                        + (text.isEmpty() ? transaction.path("hex").asText() : text));
            }
            return words;
        }
    }

    /** One block in one line; {@code up} prints the same. */
    public static String line(JsonNode block) {
        return "block " + block.path("height").asLong() + "  "
                + shortened(block.path("hash").asText()) + "  epoch "
                + block.path("epoch").asLong() + "  " + block.path("signer").asText("-") + "  "
                + block.path("transactions").asLong() + " transactions  "
                + Durations.readable(Math.max(
                        0, System.currentTimeMillis() - block.path("timeMillis").asLong()))
                + " ago";
    }

    private static String shortened(String hash) {
        return hash.length() > 12 ? hash.substring(0, 12) : hash;
    }

    private static String time(JsonNode block) {
        return Instant.ofEpochMilli(block.path("timeMillis").asLong()).toString();
    }
}
