package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The nodes that a command asks for tokens. */
final class TokenTarget {

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):[0-9]{1,5}");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The folder of an up cluster (default: $BATON_DATA, else ./data).")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Ask the nodes that serve tokens at these addresses instead, such as 10.0.0.5:50051.")
    private List<String> at = new ArrayList<>();

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.class,
            description = "Give up on an answer after this long (default: 15s).")
    private Duration within = Duration.ofSeconds(15);

    @Mixin
    private final TokenTls tls = new TokenTls();

    /** Whether the command line says which cluster. */
    boolean isNamed() {
        return data.isPresent() || !at.isEmpty();
    }

    Duration within() {
        return within;
    }

    List<String> addresses() throws CliFailure {
        for (String address : at) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new CliFailure(
                        Exit.USAGE, "--at: " + address + " (expected: host:port, several joined by commas)");
            }
        }
        return at.isEmpty()
                ? TokenAddresses.of(data.orElseGet(() ->
                        Path.of(Optional.ofNullable(System.getenv("BATON_DATA")).orElse("data"))))
                : List.copyOf(at);
    }

    /** Lines to those nodes; none is connected before it is used. */
    TokenLine open() throws CliFailure {
        return new TokenLine(addresses(), tls.credentials());
    }
}
