package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MatrixCommandTest {

    private final List<String> made = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(Runs runs, String... words) {
        return new CommandLine(new MatrixCommand(runs))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    private ChaosRun.Outcome pass(ChaosSettings settings) {
        made.add(settings.authority() + " " + settings.duty() + " " + settings.seed());
        return MadeUp.passed();
    }

    private JsonNode lastLine() throws IOException {
        assertThat(out.toString()).hasLineCount(1);
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void everyAuthorityIsRunWithEverySeed() throws IOException {
        int code = execute((settings, tell) -> pass(settings), "--seed", "1..2");
        assertThat(made)
                .containsExactly(
                        "raft sequencer 1",
                        "raft sequencer 2",
                        "redis sequencer 1",
                        "redis sequencer 2",
                        "etcd sequencer 1",
                        "etcd sequencer 2",
                        "nats sequencer 1",
                        "nats sequencer 2");
        assertThat(code).isZero();
        assertThat(lastLine().path("verdict").asText()).isEqualTo("PASS");
        assertThat(lastLine().path("runs")).hasSize(8);
    }

    @Test
    void onlyWhatIsNamedIsRun() {
        execute((settings, tell) -> pass(settings), "--authority", "etcd", "--duty", "tokens,mempool", "--seed", "7");
        assertThat(made).containsExactly("etcd tokens 7", "etcd mempool 7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seed      | 5..1    | --seed: 5..1 (expected: at most 1000, rising)
            --seed      | 1..5000 | --seed: 1..5000 (expected: at most 1000, rising)
            --seed      | 1..     | --seed: 1.. (expected: N or N..M)
            --seed      | one     | --seed: one (expected: N or N..M)
            --for       | soon    | --for: soon (expected: a time as 60s, 20m or 2h)
            --faults    | kil     | --faults: kil (expected: of kill
            --authority | mysql   | --authority: mysql (expected: one of raft
            --duty      | dishes  | --duty: dishes (expected: one of sequencer
            """)
    void aWrongValueIsToldWithWhatIsExpected(String option, String value, String words) {
        int code = execute((settings, tell) -> pass(settings), option, value);
        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(words);
        assertThat(made).isEmpty();
    }

    @Test
    void aRunThatCannotBeMadeIsARowAndTheOthersAreMade() throws IOException {
        int code = execute(
                (settings, tell) -> {
                    if (settings.authority().equals("redis")) {
                        throw new IOException("redis-1 ended (expected: to run)");
                    }
                    return pass(settings);
                },
                "--authority",
                "raft,redis,etcd");
        assertThat(code).isEqualTo(7);
        assertThat(made).containsExactly("raft sequencer 1", "etcd sequencer 1");
        JsonNode row = lastLine().path("runs").path(1);
        assertThat(row.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(row.path("why").asText()).contains("redis-1 ended");
        assertThat(lastLine().path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(err.toString()).contains("authority  duty").contains("redis-1 ended (expected: to run)");
    }

    @Test
    void oneFailureIsWorseThanAnyDoubt() throws IOException {
        int code = execute(
                (settings, tell) -> {
                    if (settings.authority().equals("redis")) {
                        return MadeUp.failedByAgreement();
                    }
                    throw new IOException("not today");
                },
                "--authority",
                "raft,redis,etcd");
        assertThat(code).isEqualTo(1);
        assertThat(lastLine().path("verdict").asText()).isEqualTo("FAIL");
        assertThat(lastLine().path("runs")).hasSize(3);
    }

    @Test
    void whoeverInterruptsARunWantsNoMore() throws IOException {
        execute((settings, tell) -> MadeUp.interrupted());
        assertThat(lastLine().path("runs")).hasSize(1);
    }
}
