package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.node.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCheckTest {

    private static final String GOOD = """
            cluster: dev
            node: n1
            data: n1
            authority: {kind: memory}
            seats: [{name: blocks, duty: sequencer, pulse: {interval: 2s}}]
            """;

    @Test
    void everyFaultIsToldAtOnce(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("node.yaml"), GOOD.replace("memory", "chalk").replace("2s", "soon") + "colour: red\n");

        Cli check = Cli.run("config", "check", file.toString());

        assertThat(check.code()).isEqualTo(Exit.CONFIGURATION.number());
        assertThat(check.lines())
                .anyMatch(line -> line.startsWith("authority.kind: chalk (expected: "))
                .anyMatch(line -> line.startsWith("seats[0].pulse.interval: soon (expected: "))
                .anyMatch(line -> line.startsWith("colour: unknown key (expected: "));
        assertThat(check.lines().getLast()).isEqualTo(file + ": 3 faults");
    }

    @Test
    void aGoodFileShowsWhatFollowsFromIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), GOOD);

        Cli check = Cli.run("config", "check", file.toString());
        var seat = Json.parse(
                        Cli.run("config", "check", file.toString(), "--json").out())
                .orElseThrow()
                .path("seats")
                .path(0);

        assertThat(check.code()).isZero();
        assertThat(check.out()).contains("a pulse every 2s");
        assertThat(seat.path("fenceAfterMillis").asLong()).isEqualTo(5000);
        assertThat(seat.path("takeoverDelayMillis").asLong()).isGreaterThan(5000);
    }

    @Test
    void aNodeEndsWithTheSameNumberForAFileItRefuses(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), "node: n1\n");

        assertThat(Cli.run("node", "--config", file.toString()).code()).isEqualTo(Exit.CONFIGURATION.number());
    }

    @Test
    void everyNumberANodeEndsWithMeansTheSameHere() {
        for (ExitCode code : ExitCode.values()) {
            assertThat(Arrays.stream(Exit.values())
                            .filter(exit -> exit.number() == code.number())
                            .map(Exit::name))
                    .containsExactly(code.name());
        }
    }
}
