package dev.baton.bench.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReachTest {

    private static final Map<String, Double> GOOD = Map.of(
            Reach.STRICT_OVER_ETCD_PUT, 6.0,
            Reach.STRICT_OVER_ETCD_PUT_1024, 8.0,
            Reach.LEASED_OVER_ECHO, 0.6,
            Reach.THOUSAND_OVER_ONE, 1.3,
            Reach.P99_OVER_COMMIT, 3.0,
            Reach.ONE_CLIENT, 1e6);

    @Test
    void boundsThemselvesAreReached() {
        assertThat(Reach.missed(Reach.of("redis"), GOOD)).isEmpty();
    }

    @Test
    void redisMustBeTwiceAsFastAsRaft() {
        Map<String, Double> measured = Map.of(Reach.STRICT_OVER_ETCD_PUT, 3.5);

        assertThat(Reach.missed(Reach.of("raft"), measured)).isEmpty();
        assertThat(Reach.missed(Reach.of("redis"), measured))
                .containsExactly("strictOverEtcdPut: 3.5 (expected: at least 6.0)");
    }

    @Test
    void whatIsTooHighIsMissedAsWell() {
        assertThat(Reach.missed(Reach.of("raft"), Map.of(Reach.P99_OVER_COMMIT, 3.1)))
                .containsExactly("p99AtHalfLoadOverCommitP99: 3.1 (expected: at most 3.0)");
    }

    @Test
    void notANumberIsMissedWhicheverWayTheBoundGoes() {
        assertThat(Reach.missed(
                        Reach.of("raft"),
                        Map.of(Reach.P99_OVER_COMMIT, Double.NaN, Reach.STRICT_OVER_ETCD_PUT, Double.NaN)))
                .hasSize(2);
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        assertThat(Reach.missed(Reach.of("raft"), Map.of())).isEqualTo(List.of());
    }
}
