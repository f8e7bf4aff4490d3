package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INV-12 and INV-13 as seen by the callers of one client, while nodes refuse, redirect, lose answers and hang. */
class EveryTokenOnceTest {

    private static final int THREADS = 64;
    private static final int CALLS = 300;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noTokenIsHandedOutTwiceWhateverTheNodesDo(boolean prefetch) throws Exception {
        Ledger ledger = new Ledger();
        try (StandIn one = new StandIn(ledger);
                StandIn two = new StandIn(ledger);
                TokenClient client = TokenClient.builder(one.address(), two.address())
                        .tries(50)
                        .timeout(Duration.ofSeconds(120))
                        .attemptTimeout(Duration.ofSeconds(10))
                        .backoff(Duration.ofMillis(2))
                        .backoffCap(Duration.ofMillis(20))
                        .breaker(10_000, 100, Duration.ofMillis(1), 10)
                        .maxBatch(40)
                        .prefetch(prefetch)
                        .prefetchBounds(100, Duration.ofMillis(50))
                        .build()) {
            misbehave(one, two, new Random(1));
            misbehave(two, one, new Random(2));
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            AtomicLong twice = new AtomicLong();
            AtomicLong outOfOrder = new AtomicLong();
            AtomicLong cancelled = new AtomicLong();

            everyThread(thread -> {
                Random random = new Random(thread);
                TokenNamespace voucher = client.namespace("voucher");
                long last = 0;
                for (int i = 0; i < CALLS; i++) {
                    CompletableFuture<Long> call = voucher.nextAsync();
                    if (random.nextInt(10) == 0 && call.cancel(false)) {
                        cancelled.incrementAndGet();
                        continue;
                    }
                    long token = call.join();
                    twice.addAndGet(seen.add(token) ? 0 : 1);
                    outOfOrder.addAndGet(token > last ? 0 : 1);
                    last = token;
                    if (random.nextInt(20) == 0) {
                        for (long ranged : voucher.next(3)) {
                            twice.addAndGet(seen.add(ranged) ? 0 : 1);
                        }
                    }
                }
            });

            assertThat(twice).hasValue(0);
            if (!prefetch) {
                assertThat(outOfOrder).as("each caller's later token is higher").hasValue(0);
            }
            assertThat(cancelled.get()).isPositive();
            ClientStatistics statistics = client.statistics();
            assertThat(statistics.staleAnswers()).isZero();
            assertThat(statistics.retries()).isPositive();
            assertThat(statistics.redirects()).isPositive();
            assertThat(statistics.requests()).as("batched").isLessThan((long) THREADS * CALLS / 2);
        }
    }

    @Test
    void laterCallOfAnyThreadGetsAHigherTokenThanWhatWasAnsweredBefore() throws Exception {
        Ledger ledger = new Ledger();
        try (StandIn node = new StandIn(ledger);
                TokenClient client = TokenClient.builder(node.address()).build()) {
            AtomicLong highest = new AtomicLong();
            AtomicLong violations = new AtomicLong();
            everyThread(thread -> {
                for (int i = 0; i < CALLS; i++) {
                    long before = highest.get();
                    long token = client.namespace("voucher").next();
                    violations.addAndGet(token > before ? 0 : 1);
                    highest.accumulateAndGet(token, Math::max);
                }
            });
            assertThat(violations).hasValue(0);
        }
    }

    private static void misbehave(StandIn node, StandIn other, Random random) {
        for (int i = 0; i < 200; i++) {
            node.then(
                    switch (random.nextInt(6)) {
                        case 0 -> StandIn.refuse(Status.UNAVAILABLE);
                        case 1 -> StandIn.redirect(other.address());
                        case 2 -> new StandIn.ServeButRefuse(Status.UNAVAILABLE);
                        case 3 -> new StandIn.ServeButRefuse(Status.ABORTED);
                        case 4 -> StandIn.refuse(Status.RESOURCE_EXHAUSTED);
                        default -> StandIn.SERVE;
                    });
        }
    }

    private interface Work {
        void run(int thread);
    }

    private static void everyThread(Work work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<? extends Future<?>> all = IntStream.range(0, THREADS)
                    .mapToObj(thread -> threads.submit(() -> work.run(thread)))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }
    }
}
