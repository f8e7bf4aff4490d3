package dev.baton.duty.mempool.watch;

import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Samples;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.local.LocalMempool;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PropagatorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Mempool pool = LocalMempool.inMemory(MempoolLimits.DEFAULT, InstantSource.system());

    private Stage stage(int number) {
        return pool.checkStatus(hash(number)).stage();
    }

    @Test
    void whatIsPendingIsSentOnceWithItsPayloadAndAcknowledged() {
        Map<Hash, Bytes> sent = new ConcurrentHashMap<>();
        AtomicInteger times = new AtomicInteger();
        Propagator.Outlet outlet = (hash, payload) -> {
            times.incrementAndGet();
            sent.put(hash, payload);
            return CompletableFuture.completedFuture(true);
        };
        try (Propagator one = Propagator.start(pool, outlet, "n1", Duration.ofMinutes(1));
                Propagator other = Propagator.start(pool, outlet, "n2", Duration.ofMinutes(1))) {
            for (int number = 0; number < 500; number++) {
                pool.receive(transaction(number));
            }
            await().atMost(PATIENCE)
                    .until(() -> pool.peekInflight(0, 1000).items().stream()
                                    .filter(each -> each.stage() == Stage.ACKNOWLEDGED)
                                    .count()
                            == 500);
        }
        assertThat(times).hasValue(500);
        assertThat(sent).containsEntry(hash(7), Samples.payload(7));
    }

    @Test
    void whatWasNotTakenIsSentAgain() {
        AtomicInteger times = new AtomicInteger();
        Propagator.Outlet outlet = (hash, payload) -> switch (times.incrementAndGet()) {
            case 1 -> CompletableFuture.completedFuture(false);
            case 2 -> CompletableFuture.failedFuture(new IllegalStateException("away"));
            default -> CompletableFuture.completedFuture(true);
        };
        pool.receive(transaction(1));
        try (Propagator propagator = Propagator.start(pool, outlet, "n1", Duration.ofMinutes(1))) {
            await().atMost(PATIENCE).until(() -> stage(1) == Stage.ACKNOWLEDGED);
        }
        assertThat(times).hasValue(3);
    }

    /** INV-18. */
    @Test
    void whatACrashedOneHadClaimedIsSentByAnother() {
        pool.receive(transaction(1));
        pool.markInflight("crashed", Duration.ofMillis(300), Samples.hashes(1));
        try (Propagator propagator = Propagator.start(
                pool, (hash, payload) -> CompletableFuture.completedFuture(true), "n2", Duration.ofMinutes(1))) {
            await().atMost(PATIENCE).until(() -> stage(1) == Stage.ACKNOWLEDGED);
        }
        assertThat(pool.findInflight(hash(1)).orElseThrow().owner()).isEqualTo("n2");
    }
}
