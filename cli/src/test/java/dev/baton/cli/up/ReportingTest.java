package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.cluster.NodeView;
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
                List.of("12:00:00  block 12"));

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
