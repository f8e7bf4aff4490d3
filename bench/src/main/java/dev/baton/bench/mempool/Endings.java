package dev.baton.bench.mempool;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.EventBatch;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds a pool beside the one it should equal: none lost, none counted twice, each ended alike. */
final class Endings {

    private static final int MOST_TOLD = 20;

    private final Mempool pool;
    private final Mempool reference;
    private final List<Hash> all;

    Endings(Mempool pool, Mempool reference, List<Hash> all) {
        this.pool = pool;
        this.reference = reference;
        this.all = all;
    }

    /** What is not as it should be, each with value and expectation; the first few of them. */
    List<String> differences() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        MempoolStats stats = pool.stats();
        expect(wrong, "ended", stats.finalized(), all.size());
        expect(wrong, "pending", stats.pending(), 0);
        expect(wrong, "in flight", stats.inflight(), 0);
        Map<Hash, Map<Stage, Integer>> changes = changes();
        for (Hash hash : all) {
            Status is = pool.checkStatus(hash);
            Status should = reference.checkStatus(hash);
            if (!is.equals(should)) {
                wrong.add(is + " (expected: " + should + ")");
            }
            Map<Stage, Integer> of = changes.getOrDefault(hash, Map.of());
            boolean isFinal = should.stage() == Stage.FINALIZED;
            expect(wrong, hash + " came", count(of, Stage.PENDING), 1);
            expect(wrong, hash + " was finalized", count(of, Stage.FINALIZED), isFinal ? 1 : 0);
            expect(wrong, hash + " was dropped", count(of, Stage.DROPPED), isFinal ? 0 : 1);
            expect(
                    wrong,
                    hash + " confirmed less rolled back",
                    count(of, Stage.CONFIRMED) - count(of, Stage.ROLLED_BACK),
                    isFinal ? 1 : 0);
        }
        return wrong.subList(0, Math.min(MOST_TOLD, wrong.size()));
    }

    private static void expect(List<String> wrong, String what, long is, long should) {
        if (is != should) {
            wrong.add(what + ": " + is + " (expected: " + should + ")");
        }
    }

    private static int count(Map<Stage, Integer> of, Stage stage) {
        return of.getOrDefault(stage, 0);
    }

    /** How often each came to each stage, by the pool's own events. */
    private Map<Hash, Map<Stage, Integer>> changes() throws InterruptedException {
        long last = pool.stats().lastEvent();
        Map<Hash, Map<Stage, Integer>> changes = new HashMap<>();
        try (Subscription events = pool.subscribe(0)) {
            while (events.position() < last) {
                switch (events.poll(Duration.ofSeconds(10))) {
                    case EventBatch.Next next -> {
                        for (Event event : next.events()) {
                            changes.computeIfAbsent(event.hash(), hash -> new EnumMap<>(Stage.class))
                                    .merge(event.stage(), 1, Integer::sum);
                        }
                    }
                    case EventBatch.FellBehind behind ->
                        throw new IllegalStateException(behind + " (expected: all events of the run are kept)");
                }
            }
        }
        return changes;
    }
}
