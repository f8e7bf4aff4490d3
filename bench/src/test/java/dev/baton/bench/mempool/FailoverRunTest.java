package dev.baton.bench.mempool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code baton bench mempool-failover}, with processes as real as there. */
@Timeout(300)
class FailoverRunTest {

    @Test
    void everyTransactionEndsAsAnUndisturbedPoolSaysWhileWatchersAreKilledAndFrozen(@TempDir Path folder)
            throws Exception {
        try (FailoverRun run = new FailoverRun(folder, Duration.ofSeconds(6), 1_000, line -> {})) {
            FailoverRun.Outcome outcome = run.run();
            assertThat(outcome.wrong()).as("%s", outcome.fields()).isEmpty();
            assertThat(outcome.fields()).containsEntry("transactions", 1_000);
            assertThat(outcome.fields())
                    .hasEntrySatisfying(
                            "killed", times -> assertThat((int) times).isPositive());
            assertThat(outcome.fields())
                    .hasEntrySatisfying(
                            "frozen", times -> assertThat((int) times).isPositive());
        }
    }
}
