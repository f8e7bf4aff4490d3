package dev.baton.bench.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CommitTimesTest {

    private static String metrics(int upTo1, int upTo2, int all) {
        return """
                # TYPE baton_append_latency_seconds histogram
                baton_append_latency_seconds_bucket{seat="tokens",le="0.001"} %d
                baton_append_latency_seconds_bucket{seat="tokens",le="0.002"} %d
                baton_append_latency_seconds_bucket{seat="tokens",le="+Inf"} %d
                baton_append_latency_seconds_count{seat="tokens"} %d
                baton_append_latency_seconds_bucket{seat="control",le="0.001"} 77
                baton_append_latency_seconds_bucket{seat="control",le="+Inf"} 77
                """.formatted(upTo1, upTo2, all, all);
    }

    @Test
    void onlyWhatCameSinceCounts() {
        CommitTimes before = CommitTimes.read(metrics(1_000, 1_000, 1_000), "tokens");
        CommitTimes after = CommitTimes.read(metrics(1_000, 1_100, 1_100), "tokens");

        CommitTimes between = after.since(before);

        assertThat(between.count()).isEqualTo(100);
        assertThat(between.microsAt(0.5)).isCloseTo(1_500, within(1.0));
    }

    @Test
    void nodesAreAddedUp() {
        CommitTimes two =
                CommitTimes.read(metrics(50, 50, 50), "tokens").plus(CommitTimes.read(metrics(0, 50, 50), "tokens"));

        assertThat(two.count()).isEqualTo(100);
        assertThat(two.microsAt(0.5)).isCloseTo(1_000, within(1.0));
        assertThat(two.microsAt(0.99)).isCloseTo(1_980, within(1.0));
    }

    @Test
    void beyondTheLastBoundItIsThatBound() {
        assertThat(CommitTimes.read(metrics(0, 0, 10), "tokens").microsAt(0.99)).isEqualTo(2_000);
    }

    @Test
    void noCommitsHaveNoTime() {
        assertThat(CommitTimes.NONE.microsAt(0.99)).isNaN();
        assertThat(CommitTimes.read(metrics(0, 0, 0), "tokens").microsAt(0.99)).isNaN();
    }
}
