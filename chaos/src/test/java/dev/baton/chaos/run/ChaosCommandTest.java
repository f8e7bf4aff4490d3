package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.plan.FaultKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What people type, and what they are told, with runs that are made up. */
class ChaosCommandTest {

    @TempDir
    Path folder = Path.of("");

    private final List<ChaosSettings> made = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(Runs runs, String... words) {
        return new CommandLine(new ChaosCommand(runs))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    private ChaosRun.Outcome pass(ChaosSettings settings) {
        made.add(settings);
        return MadeUp.passed();
    }

    @Test
    void whatIsAskedForIsRun() {
        int code = execute(
                (settings, tell) -> pass(settings),
                "--authority",
                "etcd",
                "--duty",
                "tokens",
                "--seed",
                "9",
                "--for",
                "20m",
                "--faults",
                "kill,slow-fsync");

        assertThat(code).isZero();
        assertThat(made).singleElement().satisfies(settings -> {
            assertThat(settings.authority()).isEqualTo("etcd");
            assertThat(settings.duty()).isEqualTo("tokens");
            assertThat(settings.seed()).isEqualTo(9);
            assertThat(settings.lasting()).isEqualTo(Duration.ofMinutes(20));
            assertThat(settings.kinds()).containsExactlyInAnyOrder(FaultKind.KILL, FaultKind.SLOW_FSYNC);
        });
        assertThat(out.toString()).startsWith("{\"verdict\":\"PASS\"").hasLineCount(1);
    }

    @Test
    void withoutWordsItIsAMinuteOfBlocksOnRaft() {
        execute((settings, tell) -> pass(settings));
        assertThat(made).singleElement().satisfies(settings -> {
            assertThat(settings.authority() + " " + settings.duty() + " " + settings.seed())
                    .isEqualTo("raft sequencer 1");
            assertThat(settings.lasting()).isEqualTo(Duration.ofSeconds(60));
            assertThat(settings.kinds()).isEqualTo(Nemesis.KINDS);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --for       | 60     | --for: 60 (expected: a time as 60s, 20m or 2h)
            --for       | 4s     | --for: 4s (expected: 5s or longer)
            --faults    | kil    | --faults: kil (expected: of kill, pause
            --authority | mysql  | --authority: mysql (expected: one of raft, redis
            --duty      | dishes | --duty: dishes (expected: one of sequencer
            --seed      | one    | is not a long
            """)
    void aWrongValueIsToldWithWhatIsExpected(String option, String value, String words) {
        int code = execute((settings, tell) -> pass(settings), option, value);
        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(words);
        assertThat(made).isEmpty();
    }

    @Test
    void aClusterThatDoesNotStartIsUnknownAndTheLastLineSaysWhy() {
        int code = execute(
                (settings, tell) -> {
                    throw new IOException("etcd-2 ended (expected: to run)");
                },
                "--seed",
                "9");
        assertThat(code).isEqualTo(7);
        assertThat(out.toString().strip())
                .isEqualTo("{\"verdict\":\"UNKNOWN\",\"seed\":9,\"faults\":0,\"commits\":0,\"violations\":[],"
                        + "\"failoverMillis\":{},\"why\":\"it could not be run: etcd-2 ended (expected: to run)\"}");
        assertThat(err.toString()).contains("UNKNOWN: it could not be run: etcd-2 ended");
    }

    @Test
    void whatWasFoundStaysFoundWhenNothingShorterCanBeLookedFor() {
        int code = execute(
                (settings, tell) -> {
                    made.add(settings);
                    if (made.size() > 1) {
                        throw new IOException("no ports are left");
                    }
                    return MadeUp.failedByAgreement();
                },
                "--shrink",
                "--report",
                folder.resolve("report").toString());
        assertThat(code).isEqualTo(1);
        assertThat(out.toString()).startsWith("{\"verdict\":\"FAIL\"");
        assertThat(err.toString()).contains("no ports are left");
    }
}
