package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailoverBenchTest {

    /** Two nodes that hold the seat in turns; each takeover passes its milestones at known times. */
    private static final class ScriptedCluster implements LiveCluster {
        private final List<Milestone> ofOne = new ArrayList<>();
        private final List<Milestone> ofTwo = new ArrayList<>();
        private long epoch;
        private String leader = "n1";
        private String frozen = "";

        private ScriptedCluster() {
            takeOver("n1");
        }

        private long takeOver(String next) {
            long nowMicros = LiveCluster.nowMicros() - 1_000_000;
            epoch++;
            List<Milestone> passed = next.equals("n1") ? ofOne : ofTwo;
            passed.add(new Milestone("ASKED", 0, nowMicros + 300_000));
            passed.add(new Milestone("ELECTED", epoch, nowMicros + 340_000));
            passed.add(new Milestone("RECOVERED", epoch, nowMicros + 345_000));
            passed.add(new Milestone("OPENED", epoch, nowMicros + 375_000));
            leader = next;
            return nowMicros;
        }

        @Override
        public Duration toFirstBlock() {
            return Duration.ZERO;
        }

        @Override
        public List<String> nodes() {
            return List.of("n1", "n2");
        }

        @Override
        public String awaitCalm() {
            return leader;
        }

        @Override
        public long kill(String node) {
            assertThat(node).isEqualTo(leader);
            return takeOver(node.equals("n1") ? "n2" : "n1");
        }

        @Override
        public long freeze(String node) {
            frozen = node;
            return kill(node);
        }

        @Override
        public void wake(String node) {
            assertThat(node).isEqualTo(frozen);
            milestones(node).add(new Milestone("ENDED", epoch - 1, LiveCluster.nowMicros()));
        }

        @Override
        public long handOff(String target) {
            assertThat(target).isNotEqualTo(leader);
            return takeOver(target);
        }

        @Override
        public List<Milestone> milestones(String node) {
            return node.equals("n1") ? ofOne : ofTwo;
        }

        @Override
        public Optional<String> holderNamedBy(String node) {
            return Optional.of(leader);
        }

        @Override
        public void restart(Duration interval) {
            throw new UnsupportedOperationException("nobody asks for it");
        }

        @Override
        public Map<String, Integer> httpPorts() {
            return Map.of();
        }

        @Override
        public Map<String, Long> processes() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    @Test
    void phasesOfEachKillAddUpToItsTotal() throws Exception {
        FailoverBench bench = new FailoverBench(new ScriptedCluster(), line -> {});
        bench.killed(5);
        assertThat(bench.total().size()).isEqualTo(5);
        assertThat(bench.total().medianMillis()).isEqualTo(375);
        assertThat(bench.phases())
                .containsEntry("detect", Map.of("p50Millis", 300.0, "p95Millis", 300.0, "maxMillis", 300.0))
                .containsEntry("elect", Map.of("p50Millis", 40.0, "p95Millis", 40.0, "maxMillis", 40.0))
                .containsEntry("recover", Map.of("p50Millis", 5.0, "p95Millis", 5.0, "maxMillis", 5.0))
                .containsEntry("firstBlock", Map.of("p50Millis", 30.0, "p95Millis", 30.0, "maxMillis", 30.0));
    }

    @Test
    void whoWasFrozenIsWokenAndMustNotice() throws Exception {
        FailoverBench bench = new FailoverBench(new ScriptedCluster(), line -> {});
        bench.frozen(3);
        assertThat(bench.total().medianMillis()).isEqualTo(375);
    }

    @Test
    void aHandoffGoesToAnotherNode() throws Exception {
        FailoverBench bench = new FailoverBench(new ScriptedCluster(), line -> {});
        bench.handedOff(4);
        assertThat(bench.total().medianMillis()).isEqualTo(375);
    }
}
