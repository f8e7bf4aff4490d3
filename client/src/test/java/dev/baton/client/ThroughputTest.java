package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many single calls, each awaited, and few requests; what that makes a second is for the benchmark to say. */
class ThroughputTest {

    private static final int WARM_UP = 50_000;
    private static final int MEASURED = 200_000;

    /** Each line of futures keeps this many calls under way and starts a new one when one is answered. */
    private static final int OUTSTANDING = 20_000;

    @Test
    void manyFuturesAreServedByFewRequests() throws Exception {
        try (NodeProcess node = NodeProcess.start();
                TokenClient client = Clockwork.patient(node.address()).build()) {
            futures(client, WARM_UP);
            ClientStatistics before = client.statistics();
            report("futures", client, before, futures(client, MEASURED));
            assertThat(client.statistics().tokens()).isEqualTo((long) WARM_UP + MEASURED);
        }
    }

    @Test
    void manyVirtualThreadsAreServedByFewRequests() throws Exception {
        try (NodeProcess node = NodeProcess.start();
                TokenClient client = Clockwork.patient(node.address()).build()) {
            threads(client, 4_000, WARM_UP);
            ClientStatistics before = client.statistics();
            report("4,000 virtual threads", client, before, threads(client, 4_000, MEASURED));
        }
    }

    private static long futures(TokenClient client, int calls) throws InterruptedException {
        TokenNamespace voucher = client.namespace("voucher");
        Semaphore free = new Semaphore(OUTSTANDING);
        long begun = System.nanoTime();
        List<CompletableFuture<Void>> failures = new ArrayList<>();
        for (int i = 0; i < calls; i += 100) {
            free.acquire(100);
            for (int j = 0; j < 100; j++) {
                CompletableFuture<Void> ended = voucher.nextAsync().thenAccept(token -> free.release());
                if (ended.isCompletedExceptionally()) {
                    failures.add(ended);
                }
            }
        }
        free.acquire(OUTSTANDING);
        assertThat(failures).isEmpty();
        return System.nanoTime() - begun;
    }

    private static long threads(TokenClient client, int threads, int calls) throws InterruptedException {
        TokenNamespace voucher = client.namespace("voucher");
        CountDownLatch done = new CountDownLatch(threads);
        long begun = System.nanoTime();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < threads; thread++) {
                callers.execute(() -> {
                    for (int i = 0; i < calls / threads; i++) {
                        voucher.next();
                    }
                    done.countDown();
                });
            }
        }
        assertThat(done.await(1, TimeUnit.MILLISECONDS)).isTrue();
        return System.nanoTime() - begun;
    }

    private static void report(String how, TokenClient client, ClientStatistics before, long nanos) {
        ClientStatistics after = client.statistics();
        long tokens = after.tokens() - before.tokens();
        System.out.printf(
                "one client, single calls, %s: %,d IDs/s, %.0f IDs a request, %d ns an ID%n",
                how,
                tokens * 1_000_000_000L / nanos,
                (double) tokens / (after.requests() - before.requests()),
                nanos / tokens);
    }
}
