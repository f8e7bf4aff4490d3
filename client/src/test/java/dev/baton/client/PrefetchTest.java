package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.client.ClientSettings.PrefetchSettings;
import dev.baton.wire.token.v1.TokenRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrefetchTest {

    private static final long SECOND = 1_000_000_000L;

    private final Counters counters = new Counters();
    private final Stock stock = new Stock(new PrefetchSettings(true, 1_000, Duration.ofSeconds(1)), counters, 0);

    @Test
    void keepsWhatIsUsedInAFifthOfASecond() {
        assertThat(stock.order(10_000)).as("nobody has asked yet").isZero();
        stock.wanted(2_000);
        stock.review(SECOND);
        assertThat(stock.order(10_000)).isEqualTo(400);
        assertThat(stock.order(10_000)).as("ordered already").isZero();
        stock.put(1, 1, 400, 400, SECOND);
        assertThat(stock.take(SECOND)).isEqualTo(1);
    }

    @Test
    void keepsNoMoreThanAllowed() {
        stock.wanted(1_000_000_000);
        stock.review(SECOND);
        assertThat(stock.order(10_000)).isEqualTo(1_000);
    }

    @Test
    void asksForNoMoreThanARequestMayCarry() {
        stock.wanted(2_000);
        stock.review(SECOND);
        assertThat(stock.order(30)).isEqualTo(30);
        assertThat(stock.order(0)).isZero();
    }

    @Test
    void ordersNothingAfterAFailureUntilItHasLookedAtTheRateAgain() {
        stock.wanted(2_000);
        stock.review(SECOND);
        stock.cancel(stock.order(10_000));
        assertThat(stock.order(10_000)).isZero();
        assertThat(stock.kept()).isZero();
        stock.wanted(2_000);
        stock.review(2 * SECOND);
        assertThat(stock.order(10_000)).isEqualTo(400);
    }

    @Test
    void throwsOldTokensAwayAndStopsOrderingWhenNobodyAsks() {
        stock.wanted(2_000);
        stock.review(SECOND);
        stock.put(1, 1, stock.order(10_000), 400, SECOND);
        assertThat(stock.take(2 * SECOND)).isEqualTo(1);
        assertThat(stock.take(2 * SECOND + 1)).as("older than a second").isZero();
        assertThat(counters.unused.sum()).isEqualTo(399);
        assertThat(stock.kept()).isZero();

        for (int i = 3; i < 20; i++) {
            stock.review(i * SECOND);
        }
        assertThat(stock.order(10_000)).isZero();
    }

    @Test
    void oldTokensGoEvenIfNobodyTakes() {
        stock.wanted(2_000);
        stock.review(SECOND);
        stock.put(1, 1, stock.order(10_000), 400, SECOND);
        stock.review(3 * SECOND);
        assertThat(stock.kept()).isZero();
        assertThat(counters.unused.sum()).isEqualTo(400);
    }

    @Test
    void callsAreMostlyAnsweredFromMemoryAndTheRestBecomesGaps() {
        try (StandIn node = new StandIn(new Ledger());
                TokenClient client = TokenClient.builder(node.address())
                        .prefetch(true)
                        .prefetchBounds(500, Duration.ofMillis(200))
                        .build()) {
            Set<Long> seen = new HashSet<>();
            long begun = System.nanoTime();
            while (seen.size() < 20_000 || System.nanoTime() - begun < SECOND / 4) {
                assertThat(seen.add(client.namespace("voucher").next())).isTrue();
            }
            assertThat(node.requests.size()).isLessThan(seen.size() / 4);
            assertThat(node.requests.stream().mapToLong(TokenRequest::getCount)).allMatch(count -> count <= 501);

            long asked =
                    node.requests.stream().mapToLong(TokenRequest::getCount).sum();
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            client.statistics().tokens() + client.statistics().tokensUnused() >= asked);
        }
    }

    @Test
    void withoutItNothingIsAskedForAhead() {
        try (StandIn node = new StandIn(new Ledger());
                TokenClient client = TokenClient.builder(node.address()).build()) {
            for (int i = 0; i < 500; i++) {
                client.namespace("voucher").next();
            }
            assertThat(node.requests).hasSize(500).allMatch(request -> request.getCount() == 1);
        }
    }
}
