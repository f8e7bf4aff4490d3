package dev.baton.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits transactions and waits until they are committed. */
@Command(
        name = "submit",
        description = {
            "Submits a transaction and waits until it is committed.",
            "The same bytes are taken once: submitting them again answers with the block they are in."
        },
        footer = {
            "%nExamples:",
            "  baton submit \"pay alice 5\"",
            "  baton submit --hex 00ff10",
            "  baton submit hello --count 100"
        })
public final class SubmitCommand implements Callable<Integer> {

    private static final long PAUSE_MILLIS = 100;

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @ArgGroup(multiplicity = "1")
    private Content content = new Content();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "Submit N transactions one after the other, each with its number appended (default: 1).")
    private int count;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.class,
            description = "Give up on a transaction after this long (default: 15s).")
    private Duration within = Duration.ofSeconds(15);

    /** Where the bytes come from: exactly one of these. */
    static final class Content {
        @Parameters(paramLabel = "TEXT", description = "The transaction as text.")
        private Optional<String> text = Optional.empty();

        @Option(names = "--file", paramLabel = "FILE", description = "The transaction is what this file holds.")
        private Optional<Path> file = Optional.empty();

        @Option(names = "--hex", paramLabel = "HEX", description = "The transaction in hexadecimal digits.")
        private Optional<String> hex = Optional.empty();

        byte[] bytes() throws CliFailure {
            if (text.isPresent()) {
                return text.get().getBytes(StandardCharsets.UTF_8);
            }
            if (hex.isPresent()) {
                try {
                    return HexFormat.of().parseHex(hex.get());
                } catch (IllegalArgumentException e) {
                    throw new CliFailure(
                            Exit.USAGE, "--hex: \"" + hex.get() + "\" (expected: pairs of digits 0-9 and a-f)", e);
                }
            }
            Path path = file.orElse(Path.of(""));
            try {
                return Files.readAllBytes(path);
            } catch (IOException e) {
                throw new CliFailure(
                        Exit.USAGE, "--file: " + path + " cannot be read: " + e + " (expected: a readable file)", e);
            }
        }
    }

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        byte[] bytes = content.bytes();
        if (count < 1) {
            throw new CliFailure(Exit.USAGE, "--count: " + count + " (expected: 1 or more)");
        }
        for (int i = 1; i <= count; i++) {
            JsonNode committed = submit(count == 1 ? bytes : numbered(bytes, i));
            output.print(
                    committed,
                    List.of("committed in block " + committed.path("height").asLong() + " at position "
                            + committed.path("index").asLong() + "  "
                            + committed.path("hash").asText()
                            + (committed.path("duplicate").asBoolean() ? "  (was there already)" : "")));
        }
        return Exit.OK.number();
    }

    private static byte[] numbered(byte[] bytes, int number) {
        byte[] suffix = (" " + number).getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(bytes, bytes.length + suffix.length);
        System.arraycopy(suffix, 0, all, bytes.length, suffix.length);
        return all;
    }

    /** Tries one node after the other: the same bytes are committed once, so trying again is safe. */
    private JsonNode submit(byte[] bytes) throws CliFailure, InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        List<NodeAddress> nodes = target.nodes();
        for (int attempt = 0; ; attempt++) {
            NodeAddress node = nodes.get(attempt % nodes.size());
            Duration left = Duration.ofNanos(Math.max(1_000_000, deadlineNanos - System.nanoTime()));
            Reply reply = target.client().post(node.http(), "/submit", bytes, left);
            boolean again = switch (reply) {
                case Reply.Answered answered -> false;
                case Reply.Refused refused -> refused.mayRetry();
                case Reply.Unreachable unreachable -> true;
            };
            if (!again || System.nanoTime() - deadlineNanos > -TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS)) {
                return ClusterTarget.expect(reply);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
