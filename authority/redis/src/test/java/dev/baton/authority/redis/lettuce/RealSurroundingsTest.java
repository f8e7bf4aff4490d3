package dev.baton.authority.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.redis.quorum.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RealSurroundingsTest {

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Surroundings surroundings = new RealSurroundings(timer, RandomGenerator.getDefault());

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void lonelyTaskRunsAtOnceOnTheThreadThatBringsIt() {
        List<Thread> ran = new ArrayList<>();
        surroundings.run(() -> ran.add(Thread.currentThread()));
        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void taskGivenByTaskRunsAfterIt() {
        List<String> order = new ArrayList<>();
        surroundings.run(() -> {
            surroundings.run(() -> order.add("inner"));
            order.add("outer");
        });
        assertThat(order).containsExactly("outer", "inner");
    }

    @Test
    void neverTwoAtOnceAndNoneForgotten() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        int[] count = {0}; // guarded by nothing but the order
        int threads = 8;
        int each = 20_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    surroundings.run(() -> {
                        if (inside.incrementAndGet() > 1) {
                            overlaps.incrementAndGet();
                        }
                        count[0]++;
                        inside.decrementAndGet();
                    });
                }
                done.countDown();
            });
        }
        done.await();
        await().untilAsserted(() -> {
            int[] seen = {0};
            surroundings.run(() -> seen[0] = count[0]);
            assertThat(seen[0]).isEqualTo(threads * each);
        });
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void failureOfOneTaskIsNotTheNextOnes() {
        List<String> ran = new ArrayList<>();
        surroundings.run(() -> {
            surroundings.run(() -> ran.add("next"));
            throw new IllegalStateException("on purpose");
        });
        assertThat(ran).containsExactly("next");
    }

    @Test
    void timersRunInTimeUnlessCancelled() {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        long begun = surroundings.nanos();
        surroundings.run(() -> {
            Surroundings.Timer never = surroundings.after(Duration.ofMillis(20), cancelled::incrementAndGet);
            surroundings.after(Duration.ofMillis(60), ran::incrementAndGet);
            never.cancel();
        });
        await().until(() -> ran.get() == 1);
        assertThat(Duration.ofNanos(surroundings.nanos() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(60));
        assertThat(cancelled).hasValue(0);
    }
}
