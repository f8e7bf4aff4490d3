package dev.baton.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes the seat from its holder again and again, and times what happens then. */
final class FailoverBench {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LiveCluster cluster;
    private final Consumer<String> progress;
    private final Sample total = new Sample();
    private final Sample named = new Sample();
    private final Map<String, Sample> phases = new LinkedHashMap<>();

    FailoverBench(LiveCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
        for (String phase : List.of("detect", "elect", "recover", "firstBlock")) {
            phases.put(phase, new Sample());
        }
    }

    /** When a successor passed each milestone. */
    private record Takeover(String node, long asked, long elected, long recovered, long opened) {}

    void killed(int rounds) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            Leader leads = awaitLeader();
            String leader = leads.node();
            long epoch = leads.epoch();
            long killedMicros = cluster.kill(leader);
            Takeover takeover = awaitTakeover(epoch);
            awaitNamed(takeover, others(leader));
            record(round, rounds, killedMicros, takeover);
        }
    }

    /** The holder stands still, is replaced, wakes up, and must learn that its term is over. */
    void frozen(int rounds) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            Leader leads = awaitLeader();
            String leader = leads.node();
            long epoch = leads.epoch();
            long frozenMicros = cluster.freeze(leader);
            Takeover takeover = awaitTakeover(epoch);
            awaitNamed(takeover, others(leader));
            record(round, rounds, frozenMicros, takeover);
            cluster.wake(leader);
            awaitEnd(leader, epoch);
        }
    }

    private List<String> others(String node) {
        return cluster.nodes().stream().filter(other -> !other.equals(node)).toList();
    }

    /** Who was replaced must say so itself: the fence met it at its first write. */
    private void awaitEnd(String node, long epoch) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (cluster.milestones(node).stream()
                .noneMatch(passed -> passed.name().equals("ENDED") && passed.epoch() == epoch)) {
            if (System.nanoTime() > giveUpNanos) {
                throw new IllegalStateException(node + " does not notice that its term " + epoch + " is over");
            }
            pause();
        }
    }

    /** The times come from the nodes themselves, so asking more often would only disturb them. */
    private static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(5);
    }

    void handedOff(int rounds) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            Leader leads = awaitLeader();
            String leader = leads.node();
            long epoch = leads.epoch();
            List<String> others = others(leader);
            String target = others.get(round % others.size());
            long askedMicros = cluster.handOff(target);
            Takeover takeover = awaitTakeover(epoch);
            awaitNamed(takeover, cluster.nodes());
            record(round, rounds, askedMicros, takeover);
        }
    }

    private void record(int round, int rounds, long beganMicros, Takeover takeover) {
        total.add(nanos(takeover.opened() - beganMicros));
        phase("detect", takeover.asked() - beganMicros);
        phase("elect", takeover.elected() - takeover.asked());
        phase("recover", takeover.recovered() - takeover.elected());
        phase("firstBlock", takeover.opened() - takeover.recovered());
        progress.accept("round %d of %d: %s leads after %.0f ms"
                .formatted(round, rounds, takeover.node(), (takeover.opened() - beganMicros) / 1e3));
    }

    private void phase(String name, long micros) {
        Sample sample = phases.get(name);
        if (sample != null) {
            sample.add(nanos(micros));
        }
    }

    private static long nanos(long micros) {
        return micros * 1_000;
    }

    private record Leader(String node, long epoch) {}

    /** Whoever leads by its own account: one that was woken may still be taken for a leader by its last word. */
    private Leader awaitLeader() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUpNanos) {
            String node = cluster.awaitCalm();
            long opened = latest(node, "OPENED");
            if (opened > latest(node, "ENDED") && opened == latestOfAll("OPENED")) {
                return new Leader(node, opened);
            }
            pause();
        }
        throw new IllegalStateException("nobody leads by its own account within " + PATIENCE);
    }

    private long latestOfAll(String milestone) throws InterruptedException {
        long latest = 0;
        for (String node : cluster.nodes()) {
            latest = Math.max(latest, latest(node, milestone));
        }
        return latest;
    }

    private long latest(String node, String milestone) throws InterruptedException {
        return cluster.milestones(node).stream()
                .filter(passed -> passed.name().equals(milestone))
                .mapToLong(LiveCluster.Milestone::epoch)
                .max()
                .orElse(0);
    }

    private Takeover awaitTakeover(long afterEpoch) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUpNanos) {
            for (String node : cluster.nodes()) {
                Optional<Takeover> takeover = takeover(node, cluster.milestones(node), afterEpoch);
                if (takeover.isPresent()) {
                    return takeover.get();
                }
            }
            pause();
        }
        throw new IllegalStateException("nobody took over within " + PATIENCE);
    }

    /** Status must be prompt: until when does every living node name the new holder? */
    private void awaitNamed(Takeover takeover, List<String> nodes) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        for (String node : nodes) {
            while (!cluster.holderNamedBy(node).equals(Optional.of(takeover.node()))) {
                if (System.nanoTime() > giveUpNanos) {
                    throw new IllegalStateException(node + " does not name " + takeover.node() + " as holder");
                }
                pause();
            }
        }
        named.add(nanos(LiveCluster.nowMicros() - takeover.opened()));
    }

    private static Optional<Takeover> takeover(String node, List<LiveCluster.Milestone> milestones, long afterEpoch) {
        long asked = 0;
        long elected = 0;
        long recovered = 0;
        for (LiveCluster.Milestone milestone : milestones) {
            switch (milestone.name()) {
                case "ASKED" -> asked = milestone.atMicros();
                case "ELECTED" -> elected = milestone.atMicros();
                case "RECOVERED" -> recovered = milestone.atMicros();
                case "OPENED" -> {
                    if (milestone.epoch() > afterEpoch) {
                        return Optional.of(new Takeover(node, asked, elected, recovered, milestone.atMicros()));
                    }
                }
                default -> {} // the end of a term is none of a takeover
            }
        }
        return Optional.empty();
    }

    /** From the new holder's first commit until every living node was seen to name it. */
    Sample named() {
        return named;
    }

    Sample total() {
        return total;
    }

    Map<String, Object> phases() {
        Map<String, Object> summaries = new LinkedHashMap<>();
        phases.forEach((name, sample) -> summaries.put(name, sample.summary()));
        return summaries;
    }
}
