package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.cluster.NodeView;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReportingTest {

    private static final NodeView LEADER = new NodeView(
            "n1", "LEADER", OptionalLong.of(3), 12, OptionalLong.of(40), 99, Optional.of("n1"), true, "", "");

    @Test
    void theTableShowsWhatTheIssueAsksFor() {
        List<String> frame = Screen.frame(
                List.of(LEADER, NodeView.down("n2", "starting")),
                List.of("on Redis: redis-1 127.0.0.1:7500 (98)"),
                new ChainObserver.Blocks(12, 0, 0, 1, List.of()),
                List.of("12:00:00  block 12"),
                List.of());

        assertThat(frame)
                .containsExactly(
                        "NODE  STANDING  EPOCH  HEIGHT  LAST BLOCK  PID",
                        "n1    LEADER        3      12   40 ms ago   99",
                        "n2    DOWN          -       -           -    -",
                        "on Redis: redis-1 127.0.0.1:7500 (98)",
                        "",
                        "12:00:00  block 12",
                        "",
                        "so far: 12 blocks, 0 forks, 0 gaps, 1 term   Ctrl-C stops all");
    }

    /** What happens a second later would push it out of sight if it were one of the things that happened. */
    @Test
    void aCommandToTryStaysInSightAndCountsTheRowsThatItTakes() {
        String command = "try: ./baton tokens next voucher --data /tmp/cluster";

        assertThat(Screen.frame(
                        List.of(LEADER),
                        List.of(),
                        new ChainObserver.Blocks(12, 0, 0, 1, List.of()),
                        List.of("12:00:00  token 12"),
                        List.of(command)))
                .endsWith(
                        "12:00:00  token 12",
                        "",
                        command,
                        "",
                        "so far: 12 blocks, 0 forks, 0 gaps, 1 term   Ctrl-C stops all");
        assertThat(Screen.rows("", 40)).isEqualTo(1);
        assertThat(Screen.rows("x".repeat(40), 40)).isEqualTo(1);
        assertThat(Screen.rows("x".repeat(41), 40)).isEqualTo(2);
    }

    @Test
    void theFolderStandsInACommandAsAShellReadsItAndOnlyWhereItIsNeeded() {
        assertThat(Up.dataOption(Path.of("data"), Path.of("data"))).isEmpty();
        assertThat(Up.dataOption(Path.of("data"), Path.of("/elsewhere"))).isEqualTo(" --data data");
        assertThat(Up.dataOption(Path.of("/tmp/a-b.c"), Path.of("data"))).isEqualTo(" --data /tmp/a-b.c");
        assertThat(Up.dataOption(Path.of("/tmp/my data"), Path.of("data"))).isEqualTo(" --data '/tmp/my data'");
        assertThat(Up.dataOption(Path.of("it's"), Path.of("data"))).isEqualTo(" --data 'it'\\''s'");
    }

    @Test
    void aChangeOfStandingIsOneLine() {
        assertThat(PlainReporter.change(NodeView.down("n1", "starting"), LEADER))
                .isEqualTo("n1 DOWN -> LEADER, epoch 3");
    }

    @Test
    void theVerdictIsASentence() {
        assertThat(new ChainObserver.Blocks(30, 1, 0, 2, List.of()).verdict())
                .isEqualTo("FAIL: 30 blocks, 1 fork, 0 gaps, 2 terms");
    }
}
