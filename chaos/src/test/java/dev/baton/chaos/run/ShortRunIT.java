package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.history.Journal;
import dev.baton.chaos.nemesis.Nemesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A few seconds of every authority and every duty under fire: real processes, real servers, real faults. A mempool needs
 * blocks, and these are judged too.
 */
@Timeout(600)
class ShortRunIT {

    /** Kept after a failure, with the report and what the processes wrote. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({"raft,tokens", "redis,mempool", "etcd,postgres", "nats,sequencer", "redis,remote"})
    void everyPromiseHoldsUnderFire(String authority, String duty) throws IOException, InterruptedException {
        // Databases run as a user of their own, who has to get through.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Path report = folder.resolve("report");
        List<String> told = new ArrayList<>();
        ChaosRun.Outcome outcome = ChaosRun.run(
                new ChaosSettings(authority, duty, 3, Duration.ofSeconds(15), Nemesis.KINDS, Optional.empty(), report),
                told::add);

        assertThat(outcome.judgement().violations())
                .as("%s in %s, which told: %s", outcome.judgement().counts(), report, told)
                .isEmpty();
        assertThat(outcome.judgement().doubts()).isEmpty();
        assertThat(outcome.judgement().verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcome.judgement().faults()).isPositive();
        assertThat(Files.readString(outcome.page())).contains("PASS");
        Journal journal = Journal.read(report.resolve("journal.jsonl"));
        assertThat(journal.torn()).isEmpty();
        assertThat(journal.begun().plan()).isNotEmpty();
        assertThat(report.resolve("cluster"))
                .as("a run that passed leaves no data")
                .doesNotExist();
    }
}
