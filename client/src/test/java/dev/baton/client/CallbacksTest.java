package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers attach to their futures may block, ask again, and close the client. */
@Timeout(90)
class CallbacksTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Ledger ledger = new Ledger();
    private final StandIn node = new StandIn(ledger);
    private final Clockwork clockwork = new Clockwork();
    private final CompletableFuture<Void> gate = new CompletableFuture<>();
    private final CompletableFuture<Void> latch = new CompletableFuture<>();

    @AfterEach
    void stop() {
        gate.complete(null);
        latch.complete(null);
        node.close();
    }

    private static String outcome(TokenNamespace namespace) {
        try {
            return "token " + namespace.next();
        } catch (TokenException e) {
            return e.code().name();
        }
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** It was told by the thread that serves the line, so nobody served it again. */
    @Test
    void whoRanOutOfTimeInTheLineMayAskAgainAndWait() throws Exception {
        node.otherwise(new StandIn.ServeAfter(gate));
        try (TokenClient client = clockwork.build(
                Clockwork.patient(node.address()).batchesInFlight(1).timeout(Duration.ofMinutes(10)))) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> underWay = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            AtomicBoolean told = new AtomicBoolean();
            CompletableFuture<String> again = voucher.nextAsync().handle((token, why) -> {
                told.set(true);
                return outcome(voucher);
            });
            clockwork.putForward(Duration.ofMinutes(11));
            await().atMost(SOON).until(() -> underWay.isCompletedExceptionally() && told.get());
            gate.complete(null);

            assertThat(soon(again)).startsWith("token ");
        }
    }

    /** It was told by the thread that looks after everybody's deadlines. */
    @Test
    void whatBlocksOneNamespaceLeavesTheOthersDeadlinesAlone() throws Exception {
        node.otherwise(new StandIn.ServeAfter(gate));
        TokenClientBuilder builder = Clockwork.patient(node.address())
                .batchesInFlight(1)
                .timeout(Duration.ofMinutes(11))
                .attemptTimeout(Duration.ofMinutes(11));
        try (TokenClient client = clockwork.build(builder)) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Void> held = new CompletableFuture<>();
            node.then(new StandIn.ServeAfter(held));
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            CompletableFuture<Long> early = voucher.nextAsync();
            CompletableFuture<Void> blocked = early.handle((token, why) -> latch.join());
            clockwork.putForward(Duration.ofMinutes(10));
            CompletableFuture<Long> late = voucher.nextAsync(); // its deadline is that of the batch
            CompletableFuture<Long> other = client.namespace("other").nextAsync();
            held.complete(null);
            assertThat(soon(first)).isEqualTo(1);
            await().atMost(SOON).until(() -> node.requests.size() == 3);
            clockwork.putForward(Duration.ofMinutes(2));
            await().atMost(SOON).until(early::isCompletedExceptionally);
            clockwork.putForward(Duration.ofMinutes(20));

            await().atMost(SOON).until(() -> late.isCompletedExceptionally() && other.isCompletedExceptionally());
            assertThat(blocked).isNotDone();
            latch.complete(null);
            gate.complete(null);
        }
    }

    /** The rest of a divided batch was sent only when the first part had been told, and had the only place. */
    @Test
    void whoIsServedByAPartOfABatchMayAskAgainAndWait() throws Exception {
        node.otherwise(new StandIn.ServeUnless(
                request -> request.getCount() > 1, StandIn.refuse(Status.INVALID_ARGUMENT, "INVALID")));
        node.then(new StandIn.ServeAfter(gate));
        try (TokenClient client =
                Clockwork.patient(node.address()).batchesInFlight(1).build()) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            CompletableFuture<String> second = voucher.nextAsync().thenApply(token -> outcome(voucher));
            CompletableFuture<Long> third = voucher.nextAsync();
            gate.complete(null);

            assertThat(soon(first)).isEqualTo(1);
            assertThat(soon(second)).startsWith("token ");
            assertThat(soon(third)).isPositive();
        }
    }

    /** It failed on the thread that serves the line, without being sent. */
    @Test
    void whomTheBreakerRefusesMayAskAgainAndWait() throws Exception {
        node.then(new StandIn.ServeAfter(gate), StandIn.refuse(Status.UNAVAILABLE));
        try (TokenClient client = clockwork.build(Clockwork.patient(node.address())
                .batchesInFlight(1)
                .tries(1)
                .breaker(1, 100, Duration.ofMinutes(5), 1))) {
            TokenNamespace voucher = client.namespace("voucher");
            CompletableFuture<Long> first = voucher.nextAsync();
            await().atMost(SOON).until(() -> node.requests.size() == 1);
            CompletableFuture<String> second = voucher.nextAsync().handle((token, why) -> outcome(voucher));
            assertThat(outcome(client.namespace("other"))).isEqualTo("UNAVAILABLE");
            gate.complete(null);

            assertThat(soon(first)).isEqualTo(1);
            assertThat(soon(second)).isEqualTo("UNAVAILABLE");
        }
    }

    @Test
    void clientMayBeClosedByWhatIsAttachedToItsFutures() throws Exception {
        node.otherwise(new StandIn.ServeAfter(gate));
        TokenClient client =
                Clockwork.patient(node.address()).batchesInFlight(1).build();
        CompletableFuture<Void> single = client.namespace("one").nextAsync().thenAccept(token -> client.close());
        CompletableFuture<Void> range = client.namespace("two").nextAsync(5).thenAccept(tokens -> client.close());
        await().atMost(SOON).until(() -> node.requests.size() == 2);
        CompletableFuture<Long> waiting = client.namespace("one").nextAsync();
        gate.complete(null);

        soon(single);
        soon(range);
        assertThat(soon(waiting)).isEqualTo(2);
        assertThat(outcome(client.namespace("one"))).isEqualTo("CANCELLED");
    }

    @Test
    void clientMayBeClosedByWhoRanOutOfTime() throws Exception {
        node.otherwise(new StandIn.ServeAfter(gate));
        TokenClient client = Clockwork.patient(node.address())
                .batchesInFlight(1)
                .timeout(Duration.ofMillis(500))
                .build();
        TokenNamespace voucher = client.namespace("voucher");
        List<CompletableFuture<Object>> all = Stream.generate(() -> voucher.nextAsync())
                .limit(3)
                .map(caller -> caller.handle((token, why) -> {
                    client.close();
                    return (Object) "closed";
                }))
                .toList();

        for (CompletableFuture<Object> each : all) {
            assertThat(soon(each)).isEqualTo("closed");
        }
    }

    /** Perhaps for a lock of the very thread that closes. */
    @Test
    void closeDoesNotWaitForEverForWhatIsAttachedToAFuture() throws Exception {
        TokenClient client = Clockwork.patient(node.address())
                .timeout(Duration.ofSeconds(2))
                .attemptTimeout(Duration.ofSeconds(2))
                .build();
        node.then(new StandIn.ServeAfter(gate));
        CompletableFuture<Void> blocked =
                client.namespace("voucher").nextAsync().handle((token, why) -> latch.join());
        await().atMost(SOON).until(() -> node.requests.size() == 1);
        gate.complete(null);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);

        soon(closed);
        assertThat(blocked).isNotDone();
    }
}
