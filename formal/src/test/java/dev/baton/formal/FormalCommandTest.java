package dev.baton.formal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FormalCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aBrokenRuleThatFailsPassesAndShowsItsTrace() {
        assertThat(run("--model", "flaw-no-parent-check", "--trace")).isZero();
        assertThat(out.toString()).contains("violated: BelowTipCommitted", "WriteTo", "PASS: 1 models");
    }

    @Test
    void theLastLineIsTheVerdictAsJson() {
        assertThat(run("--model", "ledger-three-heights", "--json")).isZero();
        assertThat(out.toString().strip().lines().toList())
                .singleElement()
                .asString()
                .startsWith("{\"verdict\":\"PASS\"")
                .contains("\"distinct\":4091");
    }

    @Test
    void anUnknownModelIsRefusedWithTheNamesThereAre() {
        assertThat(run("--model", "nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("--model: nonsense", "ledger-full");
    }

    @Test
    void everyModelHasANameOfItsOwn() {
        List<String> names = Models.full().stream().map(Model::name).toList();
        assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    }

    private int run(String... arguments) {
        return new CommandLine(new FormalCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}
