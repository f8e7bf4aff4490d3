package dev.baton.cli.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Cli;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Main;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands against nodes behind real connections. INV-12, INV-13, INV-14. */
class TokensCommandTest {

    private final StubTokens tokens = new StubTokens();

    TokensCommandTest() throws IOException {}

    @AfterEach
    void stop() throws InterruptedException {
        tokens.close();
    }

    private Cli run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("tokens"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--at", tokens.at()));
        return Cli.run(all.toArray(String[]::new));
    }

    private static JsonNode lastLine(Cli cli) {
        return Json.parse(cli.lines().getLast()).orElseThrow();
    }

    @Test
    void nextAsksTheHolderThatAnotherNodeNames() {
        tokens.moveTo(2);

        assertThat(run("next", "voucher").out()).isEqualTo("1  (epoch 2, height 2)\n");
        Cli more = run("next", "voucher", "--count", "10", "--json");
        assertThat(more.code()).isZero();
        assertThat(lastLine(more).path("start").asLong()).isEqualTo(2);
        assertThat(lastLine(more).path("end").asLong()).isEqualTo(12);
    }

    @Test
    void aLostAnswerIsAskedForAgainUnderTheSameId() {
        tokens.loseAnswers(2);

        assertThat(run("next", "voucher").out()).isEqualTo("1  (epoch 1, height 2)  (was handed out already)\n");
        assertThat(run("next", "voucher").out()).isEqualTo("2  (epoch 1, height 3)\n");
    }

    @Test
    void nodesThatDoNotAnswerArePassedOver() throws InterruptedException {
        tokens.moveTo(1);
        tokens.stop(0);

        assertThat(run("next", "voucher").code()).isZero();
    }

    @Test
    void aRefusalIsToldAndNobodyAnsweringToo() throws InterruptedException {
        Cli refused = run("next", "voucher", "--count", "0");
        assertThat(refused.code()).isEqualTo(Exit.REFUSED.number());
        assertThat(refused.err()).isEqualTo("baton: INVALID_ARGUMENT: count: 0 (expected: 1 or more)\n");
        assertThat(run("freeze", "nowhere").code()).isEqualTo(Exit.NOT_FOUND.number());
        tokens.close();
        Cli nobody = run("next", "voucher", "--within", "300ms");
        assertThat(nobody.code()).isEqualTo(Exit.UNREACHABLE.number());
        assertThat(nobody.err()).startsWith("baton: no tokens from 127.0.0.1:");
        assertThat(Cli.run("tokens", "next", "voucher", "--at", "here").code()).isEqualTo(Exit.USAGE.number());
    }

    @Test
    void aStreamGoesOnAtTheNewHolderWithoutAGapOrARepeat() {
        tokens.breakStreamAfter(3);

        Cli stream = run("stream", "voucher", "--chunk", "10", "--messages", "6", "--json");

        assertThat(stream.lines().stream()
                        .map(line -> Json.parse(line).orElseThrow())
                        .map(range -> range.path("start").asLong() + "@"
                                + range.path("epoch").asLong()))
                .containsExactly("1@1", "11@1", "21@1", "31@2", "41@2", "51@2");
        assertThat(stream.code()).isZero();
    }

    @Test
    void zeroIsRefusedWhereItWouldMeanThatTheHolderChooses() {
        for (String option : List.of("--start", "--step", "--ceiling", "--max-count", "--shards")) {
            for (String value : List.of("0", "-1")) {
                Cli refused = run("create", "events", option, value);
                assertThat(refused.code()).isEqualTo(Exit.USAGE.number());
                assertThat(refused.err()).isEqualTo("baton: " + option + ": " + value + " (expected: 1 or more)\n");
            }
        }
        assertThat(run("namespaces").out()).isEqualTo("no namespace yet\n");
    }

    /** A process that was stopped keeps its connections, so that a stream over one waits for ever. */
    @Test
    @Timeout(60)
    void aStreamLeavesAHolderThatWasFrozen() {
        tokens.freezeStreamAfter(2);

        Cli stream = run("stream", "voucher", "--chunk", "10", "--messages", "4", "--json");

        assertThat(stream.lines().stream()
                        .map(line -> Json.parse(line).orElseThrow())
                        .map(range -> range.path("start").asLong() + "@"
                                + range.path("epoch").asLong()))
                .containsExactly("1@1", "11@1", "21@2", "31@2");
        assertThat(stream.code()).isZero();
    }

    @Test
    @Timeout(60)
    void aServiceThatEndsStreamsWithoutARangeIsNotAskedForEver() {
        Cli stream = run("stream", "voucher", "--chunk", "10", "--within", "300ms"); // the stub takes 0 at its word

        assertThat(stream.code()).isEqualTo(Exit.UNREACHABLE.number());
        assertThat(stream.err()).contains("the stream ended early");
    }

    /** As behind {@code | head}, or on a full disk: else tokens would be taken for nobody until somebody notices. */
    @Test
    @Timeout(60)
    void tokensThatCannotBePrintedAreAFailureAndNoMoreAreAskedFor() {
        Cli stream = runUnread("stream", "voucher", "--chunk", "10", "--messages", "500", "--at", tokens.at());
        assertThat(stream.code()).isEqualTo(Exit.FAILED.number());
        assertThat(stream.err()).contains("the output cannot be written to").contains("\"start\":1,");

        Cli next = runUnread("next", "click", "--at", tokens.at());
        assertThat(next.code()).isEqualTo(Exit.FAILED.number());
        assertThat(next.err()).contains("\"start\":1,");
    }

    private static Cli runUnread(String... arguments) {
        StringWriter err = new StringWriter();
        CommandLine commands = Main.commands();
        commands.setOut(new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("nobody reads");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        }));
        commands.setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("tokens"));
        all.addAll(List.of(arguments));
        return new Cli(commands.execute(all.toArray(String[]::new)), "", err.toString());
    }

    @Test
    void namespacesAreMadeListedFrozenAndTheirHistoryIsShown() {
        Cli made = run("create", "events", "--leased", "--start", "1000", "--step", "2");
        assertThat(made.out()).isEqualTo("""
                        NAMESPACE  GUARANTEE  NEXT  STEP  COVERED  STATE
                        events     leased     1000     2        0  open
                        """);
        run("next", "events", "--count", "3");
        tokens.moveTo(1);
        run("next", "events", "--count", "2");
        run("next", "voucher");
        assertThat(run("freeze", "events").lines().getLast()).endsWith("frozen");
        assertThat(run("next", "events").code()).isEqualTo(Exit.REFUSED.number());
        assertThat(run("freeze", "events", "--off").lines().getLast()).endsWith("open");
        assertThat(run("namespaces").lines()).hasSize(3);
        assertThat(run("namespaces", "vou").lines()).hasSize(2);
        assertThat(lastLine(run("namespaces", "vou", "--json"))
                        .path("namespaces")
                        .path(0)
                        .path("next")
                        .asLong())
                .isEqualTo(2);
        assertThat(run("history", "events").out()).isEqualTo("""
                        EPOCH  REVISION  TOKENS      HEIGHTS  MAY BE A GAP
                            1         1  1000..1004  2..2                -
                            2         2  1006..1008  3..3                -
                        remembered from token 1 on
                        """);
    }

    @Test
    void whatHammerLoggedWhileTheSeatMovedAboutIsVerified(@TempDir Path dir) throws Exception {
        Path log = dir.resolve("log");
        CompletableFuture<Cli> hammer = CompletableFuture.supplyAsync(() -> run(
                "hammer",
                "voucher",
                "--clients",
                "8",
                "--for",
                "3s",
                "--count",
                "3",
                "--log",
                log.toString(),
                "--json"));
        for (int i = 1; i < 10; i++) {
            long before = Files.exists(log) ? Files.size(log) : 0;
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> hammer.isDone() || (Files.exists(log) && Files.size(log) > before));
            tokens.moveTo(i % 3);
            tokens.loseAnswers(4);
        }
        JsonNode figures = lastLine(hammer.get(120, TimeUnit.SECONDS));

        Cli verified = run("verify", log.toString(), "--json");

        JsonNode verdict = lastLine(verified);
        assertThat(verdict.path("verdict").asText()).as("%s", verdict).isEqualTo("PASS");
        assertThat(verified.code()).isZero();
        assertThat(verdict.path("ranges").asLong())
                .isPositive()
                .isEqualTo(figures.path("answers").asLong());
        assertThat(verdict.path("tokens").asLong())
                .isEqualTo(3 * verdict.path("ranges").asLong());
        assertThat(figures.path("retries").asLong()).isPositive();
    }

    @Test
    void aServiceThatHandsOutATokenTwiceFails(@TempDir Path dir) {
        tokens.spoil(token -> token == 2 ? 1 : token);
        Path log = dir.resolve("log");
        run("hammer", "voucher", "--clients", "4", "--for", "500ms", "--log", log.toString());

        Cli verified = run("verify", log.toString());

        assertThat(verified.code()).isEqualTo(Exit.FAILED.number());
        assertThat(verified.out()).startsWith("handed out twice: voucher ");
        assertThat(verified.lines().getLast()).isEqualTo("FAIL");
    }

    @Test
    void aServiceThatHandsOutTokensOutOfOrderFails(@TempDir Path dir) {
        tokens.spoil(token -> token == 1 ? 1_000_000_000 : token);
        Path log = dir.resolve("log");
        run("hammer", "voucher", "--clients", "4", "--for", "2s", "--log", log.toString());

        JsonNode verdict = lastLine(Cli.run("tokens", "verify", log.toString(), "--json"));

        assertThat(verdict.path("verdict").asText()).isEqualTo("FAIL");
        assertThat(verdict.path("orderViolations").asLong()).isPositive();
        assertThat(verdict.path("duplicates").asLong()).isZero();
    }

    @Test
    void rangesThatTheLedgerForgotFail(@TempDir Path dir) {
        Path log = dir.resolve("log");
        run("hammer", "voucher", "--clients", "2", "--for", "200ms", "--log", log.toString());
        tokens.forgetStretches();

        JsonNode verdict = lastLine(run("verify", log.toString(), "--json"));

        assertThat(verdict.path("verdict").asText()).isEqualTo("FAIL");
        assertThat(verdict.path("uncovered").asLong())
                .isPositive()
                .isEqualTo(verdict.path("ranges").asLong());
    }

    @Test
    void rangesThatAreOlderThanTheLedgerRemembersAreToldAndNotPassed(@TempDir Path dir) {
        Path log = dir.resolve("log");
        run("hammer", "voucher", "--clients", "2", "--for", "200ms", "--log", log.toString());
        tokens.rememberOnlyFromHere();

        Cli verified = run("verify", log.toString());

        assertThat(verified.out())
                .contains("not judged: ")
                .contains("older than what the ledger remembers")
                .contains(" 0 not in the ledger, ");
        assertThat(verified.lines().getLast()).isEqualTo("UNKNOWN");
        assertThat(verified.code()).isEqualTo(Exit.UNDECIDED.number());
        JsonNode verdict = lastLine(run("verify", log.toString(), "--json"));
        assertThat(verdict.path("forgotten").asLong())
                .isPositive()
                .isEqualTo(verdict.path("ranges").asLong());
    }

    @Test
    void whatCannotBeJudgedIsUnknownAndNoSuccess(@TempDir Path dir) throws Exception {
        Path empty = Files.createFile(dir.resolve("empty"));
        Cli nothing = Cli.run("tokens", "verify", empty.toString());
        assertThat(nothing.lines().getLast()).isEqualTo("UNKNOWN");
        assertThat(nothing.code()).isEqualTo(Exit.UNDECIDED.number());

        Path log = dir.resolve("log");
        run("hammer", "voucher", "--clients", "2", "--for", "200ms", "--log", log.toString());
        tokens.close();
        JsonNode verdict = lastLine(run("verify", log.toString(), "--within", "200ms", "--json"));
        assertThat(verdict.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(verdict.path("doubts").path(0).asText()).startsWith("no node says what the ledger covers");
        assertThat(Cli.run("tokens", "verify", log.toString()).code()).isZero();
        assertThat(Cli.run("tokens", "verify", dir.resolve("none").toString()).code())
                .isEqualTo(Exit.USAGE.number());
    }

    @Test
    void aHammerWithoutAnAnswerIsAFailure(@TempDir Path dir) throws Exception {
        tokens.close();
        Cli hammer = run(
                "hammer",
                "voucher",
                "--for",
                "100ms",
                "--within",
                "200ms",
                "--log",
                dir.resolve("log").toString());

        assertThat(hammer.code()).isEqualTo(Exit.UNREACHABLE.number());
    }

    /** Whoever waits for an hour's run and ends it early wants to know what came of it. */
    @Test
    @Timeout(120)
    void aHammerThatIsToldToEndSaysWhatItHas(@TempDir Path dir) throws Exception {
        Path log = dir.resolve("log");
        Path out = dir.resolve("out");
        Process hammer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "tokens",
                        "hammer",
                        "voucher",
                        "--clients",
                        "4",
                        "--for",
                        "10m",
                        "--log",
                        log.toString(),
                        "--at",
                        tokens.at(),
                        "--json")
                .redirectOutput(out.toFile())
                .redirectError(dir.resolve("err").toFile())
                .start();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(log) && Files.size(log) > 1000);
            hammer.destroy(); // SIGTERM, as good as Ctrl-C
            assertThat(hammer.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            hammer.destroyForcibly();
        }

        List<String> lines = Files.readAllLines(out);
        assertThat(lines).as(Files.readString(dir.resolve("err"))).isNotEmpty();
        assertThat(Json.parse(lines.getLast()).orElseThrow().path("answers").asLong())
                .as("and the log has them all")
                .isPositive()
                .isEqualTo(Files.readAllLines(log).size());
    }

    @Test
    @Timeout(120)
    void aHammerThatIsRefusedInTheMiddleSaysWhatItHasToo(@TempDir Path dir) throws Exception {
        Path log = dir.resolve("log");
        CompletableFuture<Cli> hammer = CompletableFuture.supplyAsync(
                () -> run("hammer", "voucher", "--clients", "4", "--for", "10m", "--log", log.toString(), "--json"));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(log) && Files.size(log) > 1000);

        run("freeze", "voucher");

        Cli refused = hammer.get(60, TimeUnit.SECONDS);
        assertThat(refused.code()).isEqualTo(Exit.REFUSED.number());
        assertThat(refused.err()).contains("voucher is frozen");
        assertThat(lastLine(refused).path("answers").asLong())
                .isPositive()
                .isEqualTo(Files.readAllLines(log).size());
    }

    @Test
    void theNodesOfAnUpClusterAreFoundByItsFolder(@TempDir Path data) throws IOException {
        List<ClusterFile.Member> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String address = tokens.address(i);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            members.add(new ClusterFile.Member("n" + i, 0, true, new ClusterFile.Ports(1, 2, 3, 4, port)));
        }
        new ClusterFile("dev", "raft", ClusterFile.TOKENS, 1, members, Optional.empty()).write(data);
        assertThat(Cli.run("tokens", "next", "voucher", "--data", data.toString())
                        .code())
                .isZero();

        new ClusterFile("dev", "raft", 1, members).write(data);
        Cli none = Cli.run("tokens", "next", "voucher", "--data", data.toString());
        assertThat(none.code()).isEqualTo(Exit.UNREACHABLE.number());
        assertThat(none.err()).contains("is for sequencer");
    }
}
