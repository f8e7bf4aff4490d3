package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

    @Test
    void anUnknownCommandIsToldWhatMayHaveBeenMeant() {
        Cli typo = Cli.run("statsu");

        assertThat(typo.code()).isEqualTo(Exit.USAGE.number());
        assertThat(typo.err()).contains("Unmatched argument").contains("status");
    }

    @Test
    void anUnknownOptionIsToldWhatMayHaveBeenMeant() {
        assertThat(Cli.run("up", "--intervall", "1s").err()).contains("--interval");
    }

    @Test
    void withoutACommandItSaysWhereHelpIs() {
        Cli nothing = Cli.run();

        assertThat(nothing.code()).isEqualTo(Exit.USAGE.number());
        assertThat(nothing.err()).contains("see: baton --help");
    }

    @Test
    void everyVisibleCommandHasHelpAndThoseThatAnswerSpeakJson() {
        for (Map.Entry<String, CommandLine> entry :
                Main.commands().getSubcommands().entrySet()) {
            CommandLine command = entry.getValue();
            String usage = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
            assertThat(usage).as(entry.getKey()).contains("--help");
            boolean ours = command.getCommand().getClass().getPackageName().startsWith("dev.baton.cli");
            if (ours && !command.getCommandSpec().usageMessage().hidden()) {
                assertThat(usage).as(entry.getKey()).contains("Examples:");
            }
            boolean answers = command.getCommand() instanceof Callable<?>
                    && !Set.of("node", "completion", "reference", "rehearse", "watchdog")
                            .contains(entry.getKey());
            assertThat(command.getCommandSpec().findOption("--json") != null)
                    .as(entry.getKey())
                    .isEqualTo(answers);
        }
    }

    @Test
    void helpAndVersionEndWell() {
        assertThat(Cli.run("--help").code()).isZero();
        assertThat(Cli.run("blocks", "tail", "--help").code()).isZero();
        assertThat(Cli.run("--version").out()).startsWith("baton ");
    }

    @Test
    void aCompletionScriptKnowsTheCommands() {
        assertThat(Cli.run("completion", "bash").out()).contains("handoff").contains("--interval");
        assertThat(Cli.run("completion", "zsh").out()).startsWith("autoload");
        assertThat(Cli.run("completion", "fish").code()).isEqualTo(Exit.USAGE.number());
    }

    @Test
    void theReferencePageIsWhatTheCommandsSay() throws IOException {
        Path page = Path.of("..", "docs", "reference", "cli.md");

        assertThat(page).exists();
        assertThat(Files.readString(page))
                .as("out of date; run ./baton reference > docs/reference/cli.md")
                .isEqualTo(Cli.run("reference").out());
    }

    @Test
    void simulationEndsWithAVerdict() {
        Cli sim = Cli.run("sim", "--seeds", "1..3", "--json");

        assertThat(sim.code()).isZero();
        assertThat(sim.lines()).hasSize(1);
        assertThat(sim.out()).startsWith("{\"verdict\":\"PASS\",\"seeds\":3,\"failures\":0,\"runs\":6,");
        assertThat(Cli.run("sim", "--seeds", "5..1").code()).isEqualTo(Exit.USAGE.number());
        assertThat(Cli.run("sim", "--engine", "raft").code()).isEqualTo(Exit.USAGE.number());
        assertThat(Cli.run("sim", "--seeds", "7", "--engine", "redis", "--transcript")
                        .lines())
                .hasSizeGreaterThan(100)
                .anyMatch(line -> line.contains("decided"));
    }

    @Test
    void aBrokenRuleIsToldWithTheCommandThatReplaysIt() {
        Cli broken = Cli.run("sim", "--mutant", "no-quorum-counts", "--seeds", "1");

        assertThat(broken.code()).isEqualTo(Exit.FAILED.number());
        assertThat(broken.out())
                .contains("seed 1 on redis breaks INV-11")
                .contains("replay: ./baton sim --mutant no-quorum-counts --seeds 1 --transcript");
    }
}
