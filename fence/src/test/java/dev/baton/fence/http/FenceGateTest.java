package dev.baton.fence.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fence.Fence;
import dev.baton.fence.FenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class FenceGateTest {

    private final FenceGate gate;

    FenceGateTest() throws IOException {
        gate = new FenceGate(FenceStore.inMemory(), Duration.ofSeconds(60));
    }

    private static Passage.Open open(Passage passage) {
        assertThat(passage).isInstanceOf(Passage.Open.class);
        return (Passage.Open) passage;
    }

    /** INV-1: otherwise a request of the earlier term would still write after the first one of the later. */
    @Test
    void aLaterTermWaitsUntilRequestsOfTheEarlierOneAreDone() throws Exception {
        Passage.Open one = open(gate.enter("demo/jobs/1/1"));
        Passage.Open beside = open(gate.enter("demo/jobs/1/1"));
        FutureTask<Passage> later = new FutureTask<>(() -> gate.enter("demo/jobs/1/2"));
        Thread waiting = Thread.ofPlatform().start(later);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> waiting.getState() == Thread.State.TIMED_WAITING || later.isDone());
        assertThat(later.isDone()).isFalse();
        one.close();
        one.close();
        assertThat(later.isDone()).isFalse();
        beside.close();

        assertThat(open(later.get(60, TimeUnit.SECONDS)).fence()).isEqualTo(Fence.of("demo", "jobs", 1, 2));
        assertThat(gate.enter("demo/jobs/1/1"))
                .isInstanceOfSatisfying(
                        Passage.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(412));
    }

    /** One of them raises the fence; the others must not wait until it has been handled, in order to raise it once more. */
    @Test
    void requestsOfALaterTermThatComeTogetherPassSideBySide() throws Exception {
        int together = 4;
        FenceGate hasty = new FenceGate(FenceStore.inMemory(), Duration.ofSeconds(10));
        CyclicBarrier start = new CyclicBarrier(together);
        try (ExecutorService threads = Executors.newFixedThreadPool(together)) {
            for (int epoch = 1; epoch <= 2_000; epoch++) {
                String fence = "demo/jobs/1/" + epoch;
                List<Future<Passage>> entering = threads.invokeAll(Collections.nCopies(together, () -> {
                    start.await();
                    return hasty.enter(fence);
                }));
                List<Passage.Open> inside = new ArrayList<>();
                for (Future<Passage> each : entering) {
                    inside.add(open(each.get()));
                }
                inside.forEach(Passage.Open::close);
            }
        }
    }

    @Test
    void aFenceThatCannotBeKeptIsNotLetIn() throws Exception {
        FenceGate broken = new FenceGate(
                new FenceStore() {
                    @Override
                    public Optional<Fence> load() {
                        return Optional.empty();
                    }

                    @Override
                    public void save(Fence fence) throws IOException {
                        throw new IOException("disk full");
                    }
                },
                Duration.ofSeconds(1));

        for (int i = 0; i < 2; i++) {
            assertThat(broken.enter("demo/jobs/1/1")).isInstanceOfSatisfying(Passage.Refused.class, refused -> {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.body()).contains("disk full");
            });
        }
    }
}
