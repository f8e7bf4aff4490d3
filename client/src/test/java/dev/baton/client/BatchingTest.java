package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.wire.token.v1.TokenRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchingTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Ledger ledger = new Ledger();
    private final StandIn node = new StandIn(ledger);
    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    @AfterEach
    void stop() {
        gate.complete(null);
        node.close();
    }

    @Test
    void callersWhoWaitTogetherShareOneRequest() {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            List<CompletableFuture<Long>> others =
                    IntStream.range(0, 1_000).mapToObj(i -> voucher.nextAsync()).toList();
            assertThat(client.statistics().waiting()).isEqualTo(1_000);
            gate.complete(null);

            assertThat(first.join()).isEqualTo(1);
            assertThat(others.stream().map(CompletableFuture::join))
                    .as("in the order in which they asked")
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(2, 1_001).boxed().toList());
        }
        assertThat(node.requests.stream().map(TokenRequest::getCount)).containsExactly(1L, 1_000L);
    }

    @Test
    void nobodyIsServedByARequestThatWasSentBeforeItAsked() {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().build()) {
            CompletableFuture<Long> early = client.namespace("voucher").nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);

            assertThat(early.cancel(false)).isTrue();
            assertThat(client.namespace("voucher").next()).isEqualTo(1);
            gate.complete(null); // the early one's token, 2, must not go to the next caller before 3 …
            await().atMost(SOON).until(() -> client.statistics().tokensUnused() == 1);
            assertThat(client.namespace("voucher").next())
                    .as("… but become a gap")
                    .isEqualTo(3);
        }
    }

    @Test
    void batchIsNoLargerThanAllowedAndSeveralAreUnderWay() {
        node.otherwise(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().maxBatch(10).batchesInFlight(3).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            List<CompletableFuture<Long>> all =
                    IntStream.range(0, 100).mapToObj(i -> voucher.nextAsync()).toList();
            await().atMost(SOON).until(() -> node.requests.size() == 3);
            assertThat(client.statistics().waiting()).isGreaterThanOrEqualTo(70);
            gate.complete(null);

            assertThat(all.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
        }
        assertThat(node.requests).allMatch(request -> request.getCount() <= 10);
    }

    @Test
    void tokensOfASteppedNamespaceAreSplitByItsStep() {
        ledger.step(4);
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            List<CompletableFuture<Long>> all = new ArrayList<>();
            all.add(client.namespace("voucher").nextAsync());
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            IntStream.range(0, 3)
                    .forEach(i -> all.add(client.namespace("voucher").nextAsync()));
            gate.complete(null);

            assertThat(all.stream().map(CompletableFuture::join)).containsExactly(1L, 5L, 9L, 13L);
            TokenRange range = client.namespace("voucher").next(3);
            assertThat(range).containsExactly(17L, 21L, 25L);
            assertThat(range.end()).isEqualTo(26);
        }
        assertThat(node.requests).allMatch(TokenRequest::getAcceptStep);
    }

    @Test
    void noTokenIsAskedForACallerWhoHasGivenUp() {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            List<CompletableFuture<Long>> batch =
                    IntStream.range(0, 4).mapToObj(i -> voucher.nextAsync()).toList();
            batch.get(0).cancel(false); // before it is sent: no token is asked for
            gate.complete(null);

            assertThat(first.join()).isEqualTo(1);
            assertThat(batch.stream().skip(1).map(CompletableFuture::join)).containsExactly(2L, 3L, 4L);
        }
        assertThat(node.requests.getLast().getCount()).isEqualTo(3);
    }

    @Test
    void cancellingWhileUnderWayNeverGivesATokenToTwo() {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            CompletableFuture<Void> second = new CompletableFuture<>();
            node.then(new StandIn.ServeAfter(second));
            List<CompletableFuture<Long>> batch =
                    IntStream.range(0, 5).mapToObj(i -> voucher.nextAsync()).toList();
            gate.complete(null);
            await().atMost(SOON).until(() -> node.requests.size() == 2);
            batch.get(1).cancel(false);
            batch.get(3).cancel(false);
            second.complete(null);

            assertThat(first.join()).isEqualTo(1);
            assertThat(List.of(
                            batch.get(0).join(),
                            batch.get(2).join(),
                            batch.get(4).join()))
                    .containsExactly(2L, 3L, 4L);
            assertThat(voucher.next()).isEqualTo(7);
            assertThat(client.statistics().tokensUnused()).isEqualTo(2);
        }
    }

    @Test
    void batchAboveTheNamespacesLimitIsDividedAndTheLimitRemembered() {
        node.otherwise(new StandIn.ServeUnless(
                request -> request.getCount() > 7, StandIn.refuse(Status.INVALID_ARGUMENT, "INVALID")));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            assertThat(tokensOfABatchOf(100, client)).hasSize(100).doesNotHaveDuplicates();
            long refused = client.statistics().failures();
            assertThat(refused).isLessThan(10);
            assertThat(tokensOfABatchOf(100, client)).hasSize(100).doesNotHaveDuplicates();
            assertThat(client.statistics().failures()).isEqualTo(refused);
        }
    }

    @Test
    void lastTokensGoToThoseWhoAskedFirst() {
        node.otherwise(new StandIn.ServeUnless(
                request -> ledger.next("voucher") + request.getCount() - 1 > 20, StandIn.refuse(Status.OUT_OF_RANGE)));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            assertThat(tokensOfABatchOf(100, client))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 20).boxed().toList());
        }
        assertThat(node.requests.size())
                .as("few in all, not one for each caller")
                .isLessThan(40);
    }

    @Test
    void hopelessBatchCostsAFewRequestsOnly() {
        node.otherwise(StandIn.refuse(Status.INVALID_ARGUMENT, "INVALID"));
        try (TokenClient client = builder().batchesInFlight(1).build()) {
            assertThat(tokensOfABatchOf(5_000, client)).hasSize(1); // that of the first, which was held back
        }
        assertThat(node.requests.size()).isLessThan(20);
    }

    /** What so many callers get who wait at the same time, because the node lets them wait. */
    private List<Long> tokensOfABatchOf(int callers, TokenClient client) {
        CompletableFuture<Void> held = new CompletableFuture<>();
        node.then(new StandIn.ServeAfter(held));
        int before = node.requests.size();
        CompletableFuture<Long> first = client.namespace("voucher").nextAsync();
        List<CompletableFuture<Long>> all = new ArrayList<>(List.of(first));
        await().atMost(SOON).until(() -> node.requests.size() > before);
        IntStream.range(1, callers)
                .forEach(i -> all.add(client.namespace("voucher").nextAsync()));
        held.complete(null);
        return all.stream()
                .map(caller -> caller.handle((token, why) -> Optional.ofNullable(token))
                        .join())
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void callersBeyondTheLimitAreRefusedAtOnce() {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().batchesInFlight(1).maxWaiting(10).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> client.statistics().waiting() == 0);
            List<CompletableFuture<Long>> waiting =
                    IntStream.range(0, 10).mapToObj(i -> voucher.nextAsync()).toList();

            assertThatThrownBy(voucher::next).hasMessageContaining("OVERLOADED").hasMessageContaining("maxWaiting");
            gate.complete(null);
            assertThat(first.join()).isEqualTo(1);
            assertThat(waiting).allSatisfy(caller -> assertThat(caller.join()).isBetween(2L, 11L));
        }
    }

    @Test
    void callersWhoAreStillInTheLineRunOutOfTimeToo() {
        node.otherwise(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder()
                .batchesInFlight(1)
                .timeout(Duration.ofMillis(500))
                .attemptTimeout(Duration.ofSeconds(30))
                .build()) {
            TokenNamespace voucher = client.namespace("voucher");
            List<CompletableFuture<Long>> all =
                    IntStream.range(0, 100).mapToObj(i -> voucher.nextAsync()).toList();
            assertThat(all)
                    .allSatisfy(caller -> assertThatThrownBy(caller::join)
                            .hasCauseInstanceOf(TokenException.class)
                            .hasMessageContaining("DEADLINE_EXCEEDED"));
        }
    }

    @Test
    void closeWaitsForWhatIsUnderWayAndRefusesWhatComesAfter() throws Exception {
        node.otherwise(new StandIn.ServeAfter(gate));
        TokenClient client = builder().batchesInFlight(1).build();
        TokenNamespace voucher = client.namespace("voucher");
        List<CompletableFuture<Long>> all =
                IntStream.range(0, 10).mapToObj(i -> voucher.nextAsync()).toList();
        CompletableFuture<TokenRange> range = voucher.nextAsync(5);
        Thread closing = Thread.ofPlatform().start(client::close);
        await().atMost(SOON).until(() -> voucher.nextAsync().isCompletedExceptionally());
        assertThat(closing.isAlive()).isTrue();
        gate.complete(null);

        closing.join(SOON);
        assertThat(all).allSatisfy(caller -> assertThat(caller).isCompleted());
        assertThat(range).isCompleted();
        assertThatThrownBy(voucher::next).hasMessageContaining("this client is closed");
        assertThatThrownBy(() -> voucher.next(3)).hasMessageContaining("this client is closed");
        assertThatThrownBy(() -> voucher.stream(3)).hasMessageContaining("this client is closed");
        assertThatThrownBy(() -> client.namespace("other").next()).hasMessageContaining("this client is closed");
        client.close();
    }

    @Test
    void interruptedCloseLeavesNobodyWaiting() throws Exception {
        node.otherwise(StandIn.refuse(Status.UNAVAILABLE));
        TokenClient client = builder()
                .tries(1_000)
                .timeout(Duration.ofMinutes(10))
                .backoff(Duration.ofMinutes(5))
                .backoffCap(Duration.ofMinutes(5))
                .build();
        CompletableFuture<TokenRange> pausing = client.namespace("voucher").nextAsync(5);
        await().atMost(SOON).until(() -> client.statistics().retries() == 1);
        Thread closing = Thread.ofPlatform().start(client::close);
        closing.interrupt();
        closing.join(SOON);

        await().atMost(SOON).until(pausing::isCompletedExceptionally);
    }

    @Test
    void interruptedCallerIsToldAndItsTokenGoesToNobodyElse() throws Exception {
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client = builder().build()) {
            CompletableFuture<Throwable> told = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    client.namespace("voucher").next();
                } catch (TokenException e) {
                    told.complete(e);
                }
            });
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            caller.interrupt();
            assertThat(told.get()).hasMessageContaining("interrupted");
            gate.complete(null);
            await().atMost(SOON).until(() -> client.statistics().tokensUnused() == 1);
            assertThat(client.namespace("voucher").next()).isEqualTo(2);
        }
    }

    @Test
    void shardsAreAskedInTurn() {
        try (TokenClient client = builder().build()) {
            ShardedTokens voucher = client.sharded("voucher", 4);
            IntStream.range(0, 8).forEach(i -> voucher.next());
            voucher.shard(2).next();
        }
        assertThat(node.requests.stream().map(TokenRequest::getNamespace))
                .containsExactly(
                        "voucher/0",
                        "voucher/1",
                        "voucher/2",
                        "voucher/3",
                        "voucher/0",
                        "voucher/1",
                        "voucher/2",
                        "voucher/3",
                        "voucher/2");
    }

    @Test
    void everythingWrongWithTheSettingsIsToldAtOnce() {
        assertThatThrownBy(() -> TokenClient.builder("localhost:1")
                        .tries(0)
                        .timeout(Duration.ZERO)
                        .breaker(1, 101, Duration.ofSeconds(1), 1)
                        .build())
                .hasMessageContaining("tries: 0 (expected: 1 or more)")
                .hasMessageContaining("timeout: PT0S")
                .hasMessageContaining("breaker.failurePercent: 101 (expected: 1 to 100)");
        assertThatThrownBy(() -> TokenClient.builder("localhost")).hasMessageContaining("expected: host:port");
        assertThatThrownBy(TokenClient::builder).hasMessageContaining("addresses: none");
    }

    private TokenClientBuilder builder() {
        return TokenClient.builder(node.address());
    }
}
