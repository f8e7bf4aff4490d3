package dev.baton.duty.mempool;

import static dev.baton.duty.mempool.Samples.block;
import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.hashes;
import static dev.baton.duty.mempool.Samples.point;
import static dev.baton.duty.mempool.Samples.term;
import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every pool does, whatever keeps it. */
public abstract class MempoolContract {

    protected static final Duration LEASE = Duration.ofSeconds(10);
    protected static final MempoolLimits LIMITS = new MempoolLimits(3, 2, 100, 50, 8, 10_000, 4, 5);

    protected final TestClock clock = new TestClock();

    /** A pool with nothing in it. */
    protected abstract Mempool empty(MempoolLimits limits);

    /** The same pool as another process would find it, after the one that used it died between two steps. */
    protected abstract Mempool again(Mempool pool, MempoolLimits limits);

    private Mempool empty() {
        return empty(LIMITS);
    }

    private static Mempool filled(Mempool pool, int... numbers) {
        for (int number : numbers) {
            assertThat(pool.receive(transaction(number))).isInstanceOf(Received.Accepted.class);
        }
        return pool;
    }

    private static Mempool claimed(Mempool pool, int... numbers) {
        filled(pool, numbers);
        assertThat(pool.markInflight("n1", LEASE, hashes(numbers))).isEqualTo(hashes(numbers));
        return pool;
    }

    private static Stage stage(Mempool pool, int number) {
        return pool.checkStatus(hash(number)).stage();
    }

    private static List<Hash> pending(Mempool pool) {
        return pool.peekPending(0, 100).items().stream()
                .map(PendingTransaction::hash)
                .toList();
    }

    private static void applied(Confirmation confirmation) {
        assertThat(confirmation).isInstanceOf(Confirmation.Applied.class);
    }

    @Test
    void aTransactionIsPendingWithItsPayloadInOrderOfArrival() {
        Mempool pool = empty();
        assertThat(pool.hasPending()).isFalse();
        filled(pool, 3, 1, 2);
        assertThat(pool.hasPending()).isTrue();
        assertThat(pending(pool)).isEqualTo(hashes(3, 1, 2));
        assertThat(pool.peekPending(0, 1).items().getFirst().payload()).isEqualTo(Samples.payload(3));
        assertThat(pool.checkStatus(hash(1))).isEqualTo(new Status(hash(1), Stage.PENDING, 0, 0, Optional.empty()));
        assertThat(pool.checkStatus(hash(9))).isEqualTo(Status.unknown(hash(9)));
    }

    @Test
    void whatIsPendingOrInFlightIsADuplicateAndWhatHasEndedMayComeAgain() {
        Mempool pool = filled(empty(), 1);
        assertThat(pool.receive(transaction(1))).isEqualTo(new Received.Duplicate(hash(1), Stage.PENDING));
        pool.markInflight("n1", LEASE, hashes(1));
        assertThat(pool.receive(transaction(1))).isEqualTo(new Received.Duplicate(hash(1), Stage.PROPAGATED));
        pool.markAcknowledged(hashes(1));
        assertThat(pool.receive(transaction(1, "a"))).isEqualTo(new Received.Duplicate(hash(1), Stage.ACKNOWLEDGED));
        filled(pool, 2);
        pool.confirm(term(1), block(1, 2));
        assertThat(pool.receive(transaction(2))).isEqualTo(new Received.Duplicate(hash(2), Stage.CONFIRMED));
        pool.confirm(term(1), block(2));
        assertThat(stage(pool, 1)).isEqualTo(Stage.DROPPED);
        assertThat(pool.receive(transaction(1))).isInstanceOf(Received.Accepted.class);
        assertThat(stage(pool, 1)).isEqualTo(Stage.PENDING);
    }

    @Test
    void aDoubleSpendIsRefusedUntilTheFirstHasEnded() {
        Mempool pool = empty();
        pool.receive(transaction(1, "a", "b"));
        assertThat(pool.receive(transaction(2, "c", "b")))
                .isEqualTo(new Received.Conflict(hash(2), Bytes.utf8("b"), hash(1)));
        assertThat(stage(pool, 2)).isEqualTo(Stage.UNKNOWN);
        assertThat(pool.receive(transaction(3, "c"))).isInstanceOf(Received.Accepted.class);
        pool.markInflight("n1", LEASE, hashes(1));
        pool.confirm(term(1), block(1));
        pool.confirm(term(1), block(2));
        assertThat(pool.receive(transaction(2, "b"))).isInstanceOf(Received.Accepted.class);
    }

    @Test
    void manyAreReceivedAtOnceEachOnItsOwn() {
        Mempool pool = filled(empty(), 2);
        assertThat(pool.receiveAll(List.of(transaction(1), transaction(2), transaction(3), transaction(1))))
                .extracting(received -> (Object) received.getClass())
                .containsExactly(
                        Received.Accepted.class,
                        Received.Duplicate.class,
                        Received.Accepted.class,
                        Received.Duplicate.class);
        assertThat(pending(pool)).isEqualTo(hashes(2, 1, 3));
    }

    @Test
    void aFullPoolRefusesUntilSomethingMoves() {
        Mempool pool = filled(empty(LIMITS.withMaxPending(2)), 1, 2);
        assertThat(pool.receive(transaction(3))).isEqualTo(new Received.Full(hash(3), 2, 2));
        pool.markInflight("n1", LEASE, hashes(1));
        assertThat(pool.receive(transaction(3))).isInstanceOf(Received.Accepted.class);
    }

    @Test
    void onlyWhatIsPendingIsClaimedAndOnlyWhatIsPropagatedIsAcknowledged() {
        Mempool pool = filled(empty(), 1, 2);
        assertThat(pool.markAcknowledged(hashes(1))).isEmpty();
        assertThat(pool.markInflight("n1", LEASE, hashes(2, 9, 2))).isEqualTo(hashes(2));
        assertThat(pool.markInflight("n2", LEASE, hashes(1, 2))).isEqualTo(hashes(1));
        assertThat(pool.markAcknowledged(hashes(1, 9, 2, 1))).isEqualTo(hashes(1, 2));
        assertThat(pool.markAcknowledged(hashes(1))).isEmpty();
        InflightTransaction found = pool.findInflight(hash(2)).orElseThrow();
        assertThat(found.owner()).isEqualTo("n1");
        assertThat(found.stage()).isEqualTo(Stage.ACKNOWLEDGED);
        assertThat(found.payload()).isEqualTo(Samples.payload(2));
        assertThat(pool.findInflight(hash(9))).isEmpty();
        assertThat(pool.peekInflight(0, 10).items())
                .extracting(InflightTransaction::hash)
                .isEqualTo(hashes(1, 2));
    }

    /** INV-18. */
    @Test
    void aCrashedPropagatorsClaimsReturnInOrderAndAcknowledgedOnesDoNot() {
        Mempool pool = filled(empty(), 1, 2, 3, 4);
        pool.markInflight("n1", LEASE, hashes(3, 1, 2));
        pool.markAcknowledged(hashes(2));
        clock.pass(LEASE.minusMillis(1));
        assertThat(pending(pool)).isEqualTo(hashes(4));
        clock.pass(Duration.ofMillis(1));
        assertThat(pending(pool)).isEqualTo(hashes(1, 3, 4));
        assertThat(stage(pool, 2)).isEqualTo(Stage.ACKNOWLEDGED);
        assertThat(pool.stats().claimsReturned()).isEqualTo(2);
        assertThat(pool.markInflight("n2", LEASE, hashes(1))).isEqualTo(hashes(1));
    }

    @Test
    void aSeenTransactionIsFinalWithEnoughConfirmations() {
        Mempool pool = claimed(empty(), 1);
        applied(pool.confirm(term(1), block(1, 1, 9)));
        assertThat(pool.checkStatus(hash(1)))
                .isEqualTo(new Status(hash(1), Stage.CONFIRMED, 1, 0, Optional.of(point(1))));
        applied(pool.confirm(term(1), block(2, 1)));
        assertThat(pool.checkStatus(hash(1)).confirmations()).isEqualTo(2);
        applied(pool.confirm(term(1), block(3)));
        assertThat(pool.checkStatus(hash(1)))
                .isEqualTo(new Status(hash(1), Stage.FINALIZED, 3, 0, Optional.of(point(1))));
        FinalizedTransaction ended = pool.dumpFinalized(0, 10).items().getFirst();
        assertThat(ended.endedBy()).isEqualTo(point(3));
        assertThat(ended.confirmedAt()).contains(point(1));
        assertThat(pool.findInflight(hash(1))).isEmpty();
    }

    @Test
    void aBlockThatNamesATransactionTwiceConfirmsItOnce() {
        Mempool pool = claimed(empty(), 1, 2);
        long before = pool.stats().lastEvent();
        applied(pool.confirm(term(1), block(1, 1, 2, 1, 1, 2)));
        assertThat(pool.stats().lastEvent()).isEqualTo(before + 2);
        assertThat(pool.checkStatus(hash(1)).confirmations()).isEqualTo(1);
    }

    @Test
    void anUnseenOneIsDroppedAndAConfirmedOneNever() {
        Mempool pool = claimed(empty(LIMITS.withThresholds(10, 2)), 1, 2);
        pool.markAcknowledged(hashes(2));
        applied(pool.confirm(term(1), block(1, 1)));
        assertThat(pool.checkStatus(hash(2)).nonConfirmations()).isEqualTo(1);
        for (int number = 2; number < 9; number++) {
            applied(pool.confirm(term(1), block(number)));
        }
        assertThat(stage(pool, 1)).isEqualTo(Stage.CONFIRMED);
        assertThat(stage(pool, 2)).isEqualTo(Stage.DROPPED);
        assertThat(pool.dumpFinalized(0, 10).items())
                .singleElement()
                .satisfies(ended -> assertThat(ended.confirmedAt()).isEmpty());
    }

    @Test
    void aPendingOneThatABlockCarriesIsConfirmedToo() {
        Mempool pool = claimed(empty(), 1);
        clock.pass(LEASE);
        assertThat(pending(pool)).isEqualTo(hashes(1));
        applied(pool.confirm(term(1), block(1, 1)));
        assertThat(stage(pool, 1)).isEqualTo(Stage.CONFIRMED);
        assertThat(pending(pool)).isEmpty();
    }

    @Test
    void anUnseenOneOfABlockGoesToTheTailUnlessTheBlockCarriesIt() {
        Mempool pool = claimed(empty(), 1, 2);
        filled(pool, 3);
        applied(pool.confirm(term(1), block(1, 1, 2)));
        applied(pool.confirm(term(1), new ChainBlock(point(2), point(1), hashes(2), hashes(2, 1))));
        assertThat(pending(pool)).isEqualTo(hashes(3, 1));
        assertThat(stage(pool, 2)).isEqualTo(Stage.CONFIRMED);
    }

    /** INV-16. */
    @Test
    void aBlockIsAppliedOnceAndOnlyWhereTheChainEnds() {
        Mempool pool = claimed(empty(), 1);
        applied(pool.confirm(term(1), block(1, 1)));
        assertThat(pool.confirm(term(1), block(1, 1))).isEqualTo(new Confirmation.AlreadyApplied(point(1)));
        assertThat(pool.confirm(term(1), block(3))).isEqualTo(new Confirmation.NotNext(point(1)));
        assertThat(pool.confirm(term(1), new ChainBlock(point(1, "fork"), Point.ORIGIN, List.of())))
                .isEqualTo(new Confirmation.NotNext(point(1)));
        assertThat(pool.checkStatus(hash(1)).confirmations()).isEqualTo(1);
        assertThat(pool.stats().cursor()).isEqualTo(point(1));
    }

    /** INV-17. */
    @Test
    void aPausedWatcherThatWakesIsRefusedAndOtherSeatsToo() {
        Mempool pool = claimed(empty(), 1);
        assertThat(pool.assume(term(4))).isEqualTo(new Assumed.Watching(Point.ORIGIN, Optional.empty()));
        assertThat(pool.assume(term(7))).isInstanceOf(Assumed.Watching.class);
        assertThat(pool.confirm(term(4), block(1, 1))).isEqualTo(new Confirmation.Fenced(term(4), term(7)));
        assertThat(pool.rollback(term(4), point(1))).isInstanceOf(Confirmation.Fenced.class);
        assertThat(pool.advance(term(4))).isInstanceOf(Confirmation.Fenced.class);
        assertThat(pool.assume(term(6))).isEqualTo(new Assumed.Fenced(term(6), term(7)));
        WatcherTerm foreign = new WatcherTerm(SeatId.of("test", "other"), new Epoch(99));
        assertThat(pool.assume(foreign)).isEqualTo(new Assumed.OtherSeat(foreign, term(7)));
        assertThat(pool.confirm(foreign, block(1))).isInstanceOf(Confirmation.OtherSeat.class);
        assertThat(stage(pool, 1)).isEqualTo(Stage.PROPAGATED);
        assertThat(pool.stats().fencedConfirms()).isEqualTo(4);
        assertThat(pool.stats().watcher()).contains(term(7));
        assertThat(pool.assume(term(2, 1))).isInstanceOf(Assumed.Watching.class);
        assertThat(pool.confirm(term(7), block(1))).isInstanceOf(Confirmation.Fenced.class);
        applied(pool.confirm(term(2, 1), block(1)));
    }

    @Test
    void aRollbackTakesBlocksBackOneByOne() {
        Mempool pool = claimed(empty(LIMITS.withThresholds(9, 9)), 1, 2, 3);
        applied(pool.confirm(term(1), block(1, 1)));
        applied(pool.confirm(term(1), block(2, 3, 2)));
        applied(pool.confirm(term(1), block(3)));
        assertThat(pool.rollback(term(1), point(2))).isEqualTo(new Confirmation.NotNext(point(3)));
        assertThat(pool.rollback(term(1), point(3))).isEqualTo(new Confirmation.Applied(point(2)));
        assertThat(pool.checkStatus(hash(1)).confirmations()).isEqualTo(2);
        assertThat(pool.rollback(term(1), point(3))).isEqualTo(new Confirmation.NotNext(point(2)));
        assertThat(pool.rollback(term(1), point(2))).isEqualTo(new Confirmation.Applied(point(1)));
        List<Hash> back = new ArrayList<>(hashes(2, 3));
        back.sort((a, b) -> a.toString().compareTo(b.toString()));
        assertThat(pending(pool)).isEqualTo(back);
        assertThat(stage(pool, 1)).isEqualTo(Stage.CONFIRMED);
        applied(pool.confirm(term(1), new ChainBlock(point(2, "fork"), point(1), hashes(2))));
        assertThat(stage(pool, 2)).isEqualTo(Stage.CONFIRMED);
        assertThat(pool.stats().cursor()).isEqualTo(point(2, "fork"));
    }

    @Test
    void aRollbackReachesTheOriginOrAsFarAsThePoolRemembers() {
        Mempool pool = empty();
        assertThat(pool.rollback(term(1), Point.ORIGIN)).isEqualTo(new Confirmation.TooDeep(Point.ORIGIN));
        applied(pool.confirm(term(1), block(1)));
        assertThat(pool.rollback(term(1), point(1))).isEqualTo(new Confirmation.Applied(Point.ORIGIN));
        for (int number = 1; number <= 8; number++) {
            applied(pool.confirm(term(1), block(number)));
        }
        for (int number = 8; number > 4; number--) {
            applied(pool.rollback(term(1), point(number)));
        }
        assertThat(pool.rollback(term(1), point(4))).isEqualTo(new Confirmation.TooDeep(point(4)));
    }

    /** INV-16: the slices of a crashed watcher's block are finished by the next one, each of them once. */
    @Test
    void aBlockThatItsWatcherLeftUnfinishedIsFinishedByTheNextOne() {
        int[] many = IntStream.rangeClosed(1, 17).toArray();
        Mempool pool = claimed(empty(LIMITS.withThresholds(2, 2)), many);
        applied(pool.confirm(term(1), block(1, many)));
        assertThat(pool.begin(term(1), block(2))).isEqualTo(new Confirmation.Applying(point(2)));
        assertThat(pool.dumpFinalized(0, 100).items()).hasSize(5);
        Mempool next = again(pool, LIMITS.withThresholds(2, 2));
        assertThat(next.assume(term(2))).isEqualTo(new Assumed.Watching(point(1), Optional.of(point(2))));
        assertThat(next.begin(term(2), new ChainBlock(point(2, "fork"), point(1), List.of())))
                .isEqualTo(new Confirmation.Unfinished(point(2)));
        assertThat(next.advance(term(1))).isInstanceOf(Confirmation.Fenced.class);
        applied(next.confirm(term(2), block(3)));
        assertThat(next.stats().cursor()).isEqualTo(point(3));
        // As many as the pool remembers, and none twice: the last ones in the order in which they ended.
        assertThat(next.dumpFinalized(0, 100).items()).hasSize(8);
        assertThat(next.stats().inflight()).isZero();
        assertThat(next.confirm(term(2), block(3))).isInstanceOf(Confirmation.AlreadyApplied.class);
    }

    @Test
    void aRollbackThatItsWatcherLeftUnfinishedIsFinishedByTheNextOne() {
        int[] many = IntStream.rangeClosed(1, 12).toArray();
        Mempool pool = claimed(empty(), many);
        applied(pool.confirm(term(1), block(1, many)));
        assertThat(pool.beginRollback(term(1), point(1))).isEqualTo(new Confirmation.Applying(point(1)));
        Mempool next = again(pool, LIMITS);
        applied(next.confirm(term(2), block(1, 1)));
        assertThat(pending(next)).hasSize(11);
        assertThat(stage(next, 1)).isEqualTo(Stage.CONFIRMED);
    }

    @Test
    void listingsComeInPagesThatMissNothingAndRepeatNothing() {
        int[] many = IntStream.rangeClosed(1, 10).toArray();
        Mempool pool = filled(empty(), many);
        List<Hash> all = new ArrayList<>();
        Page<PendingTransaction> page = pool.peekPending(0, 4);
        assertThat(page.hasMore()).isTrue();
        while (!page.items().isEmpty()) {
            page.items().forEach(item -> all.add(item.hash()));
            page = pool.peekPending(page.next(), 4);
        }
        assertThat(all).isEqualTo(hashes(many));
        assertThat(page.hasMore()).isFalse();
        pool.markInflight("n1", LEASE, hashes(many));
        Page<InflightTransaction> first = pool.peekInflight(0, 7);
        assertThat(first.items()).hasSize(7);
        assertThat(pool.peekInflight(first.next(), 7).items()).hasSize(3);
        pool.confirm(term(1), block(1));
        pool.confirm(term(1), block(2));
        Page<FinalizedTransaction> ended = pool.dumpFinalized(0, 5);
        assertThat(ended.items()).hasSize(5);
        assertThat(ended.hasMore()).isTrue();
        assertThat(pool.dumpFinalized(ended.next(), 5).items()).hasSize(3); // eight are remembered
        assertThat(pool.peekPending(Epoch.MAX_VALUE, 5).items()).isEmpty();
    }

    @Test
    void finalizedOnesAreRememberedUpToTheLimitAndOneHashOnce() {
        Mempool pool = empty(LIMITS.withMaxFinalized(2));
        for (int number = 1; number <= 4; number++) {
            claimed(pool, number == 4 ? 3 : number);
            applied(pool.confirm(term(1), block(2L * number - 1)));
            applied(pool.confirm(term(1), block(2L * number)));
        }
        assertThat(pool.dumpFinalized(0, 10).items())
                .extracting(FinalizedTransaction::hash)
                .isEqualTo(hashes(2, 3));
        assertThat(stage(pool, 1)).isEqualTo(Stage.UNKNOWN);
    }

    @Test
    void whatMakesNoSenseIsRefusedWithValueAndExpectation() {
        Mempool pool = empty();
        assertThatThrownBy(() -> pool.receive(new Transaction(hash(1), Bytes.EMPTY)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("payload: 0 bytes (expected: 1 to 100)");
        assertThatThrownBy(() -> pool.receive(new Transaction(hash(1), Bytes.wrap(new byte[101]))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.receive(transaction(1, "a", "a"))).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.receive(
                        new Transaction(hash(1), Samples.payload(1), Collections.nCopies(257, Bytes.utf8("k")))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.peekPending(-1, 10))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("cursor: -1 (expected: 0 for the beginning, or the next of a page)");
        assertThatThrownBy(() -> pool.peekInflight(Long.MAX_VALUE, 10)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.dumpFinalized(0, 0)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.dumpFinalized(0, 1001)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.markInflight("", LEASE, hashes(1))).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.markInflight("n1", Duration.ZERO, hashes(1)))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.markAcknowledged(Collections.nCopies(1001, hash(1))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> pool.subscribe(-1)).isInstanceOf(InvalidRequestException.class);
        assertThat(pool.stats().lastEvent()).isZero();
    }

    private static List<Event> events(Subscription reader, int count) throws InterruptedException {
        List<Event> all = new ArrayList<>();
        while (all.size() < count) {
            EventBatch batch = reader.poll(Duration.ofSeconds(30));
            assertThat(batch).isInstanceOf(EventBatch.Next.class);
            List<Event> next = ((EventBatch.Next) batch).events();
            assertThat(next).describedAs("after %s", all).isNotEmpty();
            all.addAll(next);
        }
        return all;
    }

    @Test
    void everyChangeIsAnEventInOrderAndReadersResumeFromAnId() throws Exception {
        Mempool pool = empty();
        try (Subscription reader = pool.subscribe(0)) {
            claimed(pool, 1, 2);
            pool.markAcknowledged(hashes(1));
            clock.pass(LEASE);
            pool.hasPending();
            pool.confirm(term(1), block(1, 1));
            pool.rollback(term(1), point(1));
            List<Event> all = events(reader, 8);
            assertThat(all).extracting(Event::id).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
            assertThat(all)
                    .extracting(Event::stage)
                    .containsExactly(
                            Stage.PENDING,
                            Stage.PENDING,
                            Stage.PROPAGATED,
                            Stage.PROPAGATED,
                            Stage.ACKNOWLEDGED,
                            Stage.PENDING,
                            Stage.CONFIRMED,
                            Stage.ROLLED_BACK);
            assertThat(all).extracting(Event::hash).isEqualTo(hashes(1, 2, 1, 2, 1, 2, 1, 1));
            assertThat(reader.position()).isEqualTo(8);
            // In the middle of what one step did.
            assertThat(events(pool.subscribe(3), 5)).isEqualTo(all.subList(3, 8));
            assertThat(reader.poll(Duration.ZERO)).isEqualTo(new EventBatch.Next(List.of()));
        }
    }

    @Test
    void aReaderThatWaitsIsWokenByWhateverHappensElsewhere() throws Exception {
        Mempool pool = empty();
        try (Subscription reader = pool.subscribe(0)) {
            CompletableFuture<EventBatch> waits = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    waits.complete(reader.poll(Duration.ofSeconds(60)));
                } catch (Exception e) {
                    waits.completeExceptionally(e);
                }
            });
            filled(pool, 1);
            assertThat(waits.get(30, TimeUnit.SECONDS))
                    .isEqualTo(new EventBatch.Next(List.of(new Event(1, hash(1), Stage.PENDING))));
        }
    }

    @Test
    void aReaderThatFellBehindIsToldAndCanGoOn() throws Exception {
        Mempool pool = empty(LIMITS.withMaxEvents(10));
        try (Subscription slow = pool.subscribe(0)) {
            filled(pool, 1);
            events(slow, 1);
            for (int round = 0; round < 300; round++) {
                claimed(pool, 1000 + round);
                pool.confirm(term(1), block(2L * round + 1));
                pool.confirm(term(1), block(2L * round + 2));
            }
            EventBatch batch = slow.poll(Duration.ofSeconds(1));
            assertThat(batch).isInstanceOf(EventBatch.FellBehind.class);
            EventBatch.FellBehind behind = (EventBatch.FellBehind) batch;
            assertThat(behind.wanted()).isEqualTo(2);
            assertThat(behind.oldest()).isGreaterThan(2);
            slow.seek(behind.oldest() - 1);
            assertThat(events(slow, 1).getFirst().id()).isEqualTo(behind.oldest());
        }
    }

    @Test
    void aPoolIsFoundAgainAsItWasLeft() {
        Mempool pool = empty();
        claimed(pool, 1, 2, 3);
        filled(pool, 4);
        pool.receive(transaction(5, "a"));
        pool.markAcknowledged(hashes(2));
        pool.confirm(term(3), block(1, 1));
        PoolView before = PoolView.of(pool, 9);
        Mempool after = again(pool, LIMITS);
        assertThat(PoolView.of(after, 9)).isEqualTo(before);
        assertThat(after.receive(transaction(6, "a"))).isInstanceOf(Received.Conflict.class);
        assertThat(after.confirm(term(2), block(2))).isInstanceOf(Confirmation.Fenced.class);
        clock.pass(LEASE);
        assertThat(pending(after)).isEqualTo(hashes(3, 4, 5));
    }
}
