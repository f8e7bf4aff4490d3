package dev.baton.cli.mempool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts transactions into the pool. */
@Command(
        name = "submit",
        description = {
            "Puts a transaction into the pool and returns at once; watch or status tell what becomes of it.",
            "The same transaction is refused while it is in the pool, and a double spend always."
        },
        footer = {
            "%nExamples:",
            "  baton mempool submit \"pay alice 5\"",
            "  baton mempool submit hello --count 100",
            "  baton mempool submit \"spend\" --conflict-key a1b2"
        })
final class MempoolSubmitCommand implements Callable<Integer> {

    @Mixin
    private final PoolSource source = new PoolSource();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "TEXT", description = "The transaction; hexadecimal digits with --hex.")
    private String text = "";

    @Option(names = "--hex", description = "The transaction is given in hexadecimal digits.")
    private boolean hex;

    @Option(
            names = "--conflict-key",
            paramLabel = "HEX",
            split = ",",
            description = "What no other live transaction may have, such as an input that it spends.")
    private List<String> conflictKeys = new ArrayList<>();

    @Option(names = "--count", paramLabel = "N", description = "Submit N transactions, each with its number appended.")
    private Optional<Integer> count = Optional.empty();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (count.isPresent() && count.get() < 1) {
            throw new CliFailure(Exit.USAGE, "--count: " + count.get() + " (expected: 1 or more)");
        }
        String path =
                "/mempool/submit" + (conflictKeys.isEmpty() ? "" : "?conflict-keys=" + String.join(",", conflictKeys));
        for (int i = 1; i <= count.orElse(1); i++) {
            JsonNode taken = source.post(path, bytes(count.isPresent() ? " " + i : ""));
            output.print(taken, List.of("pending  " + taken.path("hash").asText()));
        }
        return Exit.OK.number();
    }

    private byte[] bytes(String suffix) throws CliFailure {
        if (!hex) {
            return (text + suffix).getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new CliFailure(Exit.USAGE, "TEXT: \"" + text + "\" (expected: pairs of digits 0-9 and a-f)", e);
        }
    }
}
