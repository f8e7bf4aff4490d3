package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Journal;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.history.Setting;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What people type, and what they press. */
@Timeout(300)
class ChaosCommandIT {

    @TempDir
    Path folder = Path.of("");

    @Test
    void aJournalThatWasCutShortIsReplayed() throws IOException {
        List<PlannedFault> plan = List.of(new PlannedFault(
                1,
                TimeUnit.SECONDS.toNanos(2),
                TimeUnit.SECONDS.toNanos(2),
                FaultKind.KILL,
                List.of(PlannedFault.LEADER),
                Map.of()));
        Path journal = folder.resolve("journal.jsonl");
        try (JournalWriter writer = JournalWriter.create(journal)) {
            List<String> nodes = List.of("n1", "n2", "n3");
            long lastingNanos = TimeUnit.SECONDS.toNanos(7);
            writer.append(new Event.Begun(
                    0, new Setting(5, "raft", "sequencer", nodes, List.of(), lastingNanos, "", "", "", ""), plan));
        }
        Files.writeString(journal, "{\"is\":\"answ", StandardOpenOption.APPEND);
        StringWriter out = new StringWriter();
        CommandLine command = ChaosCommand.commands().setOut(new PrintWriter(out));

        int code = command.execute(
                "--replay",
                journal.toString(),
                "--report",
                folder.resolve("again").toString(),
                "--json");

        assertThat(out.toString()).startsWith("{\"verdict\":\"PASS\",\"seed\":5,\"faults\":1,");
        assertThat(code).isZero();
        Journal again = Journal.read(folder.resolve("again").resolve("journal.jsonl"));
        assertThat(again.begun().plan()).isEqualTo(plan);
        assertThat(again.begun().setting().command()).contains("--replay");
    }

    @Test
    void aJournalThatIsNotThereIsWrongUsage() {
        StringWriter err = new StringWriter();
        int code = ChaosCommand.commands()
                .setErr(new PrintWriter(err))
                .execute("--replay", folder.resolve("nothing").toString());
        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("(expected: the journal of an earlier run)");
    }

    /** SIGTERM here, because whoever starts tests may have had SIGINT ignored; both go the same way. */
    @Test
    void aRunThatIsInterruptedLeavesItsReportAndNoProcesses() throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        Path out = folder.resolve("out");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path", ""),
                        ChaosMain.class.getName(),
                        "--authority",
                        "raft",
                        "--for",
                        "10m",
                        "--report",
                        report.toString())
                .redirectErrorStream(false)
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            Path journal = report.resolve("journal.jsonl");
            await().atMost(Duration.ofMinutes(2))
                    .until(() ->
                            Files.exists(journal) && Files.readString(journal).contains("\"is\":\"faultBegan\""));

            run.destroy();

            assertThat(run.waitFor(90, TimeUnit.SECONDS)).as("it ended").isTrue();
            assertThat(Files.readString(out).strip()).startsWith("{\"verdict\":\"UNKNOWN\"");
            assertThat(Files.readString(report.resolve("report.html"))).contains("it was interrupted");
            assertThat(Journal.read(journal).events())
                    .as("the end is in the journal")
                    .anyMatch(event -> event instanceof Event.Ended ended && !ended.complete());
            assertThat(processesOf(report)).isEmpty();
        } finally {
            run.destroyForcibly();
        }
    }

    /** Processes whose command line names something below the folder. */
    private static List<String> processesOf(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                try {
                    String words = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                    if (words.contains(folder.resolve("cluster").toString())) {
                        found.add(process + " " + words.replace('\0', ' '));
                    }
                } catch (IOException e) {
                    // No process, or one that is gone.
                }
            }
        }
        return found;
    }
}
