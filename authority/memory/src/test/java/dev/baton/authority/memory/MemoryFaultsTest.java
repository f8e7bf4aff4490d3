package dev.baton.authority.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.memory.FaultPlan.Call;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a simulator relies on: time and faults are its own, and nothing happens that it did not cause. */
class MemoryFaultsTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final SeatId SEAT = SeatId.of("memory", "faults");

    /** Close to the end of the numbers, as a monotonic clock is allowed to be. */
    private long nowNanos = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    private final MemoryEngine engine = new MemoryEngine(LEASE, () -> nowNanos, Runnable::run);
    private final MemoryAuthority connection = engine.connect(new NodeId("n1"));
    private final SeatAuthority seat = connection.seat(SEAT);
    private final Candidate candidate = new Candidate(new Holder(new NodeId("n1"), new Incarnation(7)), "n1:1");

    @Test
    void aRefusedRequestIsKnownToHaveChangedNothing() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Refuse()));

        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Unavailable.class);
        assertThat(ledger()).isEmpty();
        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Committed.class);
    }

    @Test
    void aLostRequestChangesNothingButNobodyKnows() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.LoseRequest(Duration.ZERO)));

        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Indeterminate.class);
        assertThat(ledger()).isEmpty();
    }

    @Test
    void aLostReplyLeavesTheEffectAndNobodyKnows() {
        connection.faults(FaultPlan.next(Call.PROMOTE, new Fault.LoseReply(Duration.ZERO)));

        assertThat(now(seat.promote(new Claim.Vacancy(), candidate))).isInstanceOf(Promotion.Indeterminate.class);
        assertThat(now(seat.look())).isInstanceOf(Look.Held.class);

        Term term = elect();
        assertThat(term.epoch()).isEqualTo(new Epoch(1));
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.LoseReply(Duration.ZERO)));
        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Indeterminate.class);
        assertThat(ledger()).containsExactly(first(term));
    }

    @Test
    void theCallerHearsOfALossWhenItIsNoticed() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.RESIGN, new Fault.LoseReply(Duration.ofSeconds(2))));

        CompletableFuture<Resignation> reply = future(seat.resign(term));

        assertThat(now(seat.look())).isInstanceOf(Look.Vacant.class);
        pass(Duration.ofMillis(1999));
        assertThat(reply).isNotDone();
        pass(Duration.ofMillis(1));
        assertThat(reply).isCompletedWithValueMatching(Resignation.Unknown.class::isInstance);
    }

    /** The send was at the beginning; the lease counts from the arrival. */
    @Test
    void aDelayedRequestTakesEffectOnArrival() {
        Term term = elect();
        long sentNanos = nowNanos;
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Delay(Duration.ofSeconds(4), Duration.ofSeconds(1))));

        CompletableFuture<Appended> reply = future(seat.append(term, first(term)));

        assertThat(ledger()).isEmpty();
        pass(Duration.ofSeconds(4));
        assertThat(ledger()).hasSize(1);
        assertThat(reply).isNotDone();
        pass(Duration.ofSeconds(1));
        assertThat(reply).isCompletedWithValue(new Appended.Committed(first(term), sentNanos));
        pass(Duration.ofSeconds(8));
        assertThat(now(seat.look())).isInstanceOf(Look.Held.class);
        pass(Duration.ofSeconds(1));
        assertThat(now(seat.look())).isInstanceOf(Look.Vacant.class);
    }

    @Test
    void aDelayedRequestOfATermThatEndedMeanwhileIsFenced() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Delay(LEASE, Duration.ZERO)));

        CompletableFuture<Appended> reply = future(seat.append(term, first(term)));
        pass(LEASE);

        assertThat(reply).isCompletedWithValue(new Appended.Fenced(term.epoch()));
        assertThat(ledger()).isEmpty();
    }

    @Test
    void aDuplicateArrivesLaterAndItsReplyGoesNowhere() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.RESIGN, new Fault.Duplicate(Duration.ofSeconds(1))));
        assertThat(now(seat.resign(term))).isEqualTo(new Resignation.Done());
        Term next = elect();

        pass(Duration.ofSeconds(1));

        assertThat(next.epoch()).isEqualTo(new Epoch(2));
        assertThat(now(seat.look())).isInstanceOf(Look.Held.class);
    }

    /** A copy of an append renews the lease of a term that still stands: that is what a late copy does. */
    @Test
    void aDuplicateReallyReachesTheEngine() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Duplicate(Duration.ofSeconds(9))));
        now(seat.append(term, first(term)));

        pass(Duration.ofSeconds(9));
        pass(Duration.ofSeconds(9));

        assertThat(ledger()).hasSize(1);
        assertThat(now(seat.look())).isInstanceOf(Look.Held.class);
    }

    @Test
    void aCutConnectionRefusesAndItsWatchersMissEvents() {
        Term term = elect();
        List<SeatEvent> told = new ArrayList<>();
        seat.watch(told::add);
        connection.cut();

        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Unavailable.class);
        assertThat(now(seat.read(Height.FIRST, PageLimit.DEFAULT))).isInstanceOf(Page.Unavailable.class);
        pass(LEASE);
        assertThat(told).hasSize(1);
        connection.heal();

        assertThat(told).hasSize(2).last().isInstanceOf(SeatEvent.Missed.class);
        assertThat(now(seat.look())).isInstanceOf(Look.Vacant.class);
    }

    @Test
    void aTickTellsWatchersOfALapse() {
        elect();
        List<SeatEvent> told = new ArrayList<>();
        seat.watch(told::add);

        assertThat(engine.nextTickNanos()).hasValue(nowNanos + LEASE.toNanos());
        pass(LEASE.minusNanos(1));
        assertThat(told).hasSize(1);
        pass(Duration.ofNanos(1));

        assertThat(told).hasSize(2).last().isEqualTo(new SeatEvent.Vacated(Ending.LAPSED));
        assertThat(engine.nextTickNanos()).isEmpty();
    }

    @Test
    void aRestartLosesWhatWasUnderWayAndLeasesBeginAnew() {
        Term term = elect();
        List<SeatEvent> told = new ArrayList<>();
        seat.watch(told::add);
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Delay(Duration.ofSeconds(9), Duration.ZERO)));
        CompletableFuture<Appended> reply = future(seat.append(term, first(term)));

        pass(Duration.ofSeconds(8));
        engine.restart();
        pass(Duration.ofSeconds(8));

        assertThat(reply).isCompletedWithValueMatching(Appended.Indeterminate.class::isInstance);
        assertThat(ledger()).isEmpty();
        assertThat(now(seat.look())).isInstanceOf(Look.Held.class);
        assertThat(told).anyMatch(SeatEvent.Missed.class::isInstance);
    }

    @Test
    void aRestartLosesRepliesThatAreUnderWay() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Delay(Duration.ZERO, Duration.ofSeconds(1))));
        CompletableFuture<Appended> reply = future(seat.append(term, first(term)));

        engine.restart();
        pass(Duration.ofSeconds(1));

        assertThat(reply).isCompletedWithValueMatching(Appended.Indeterminate.class::isInstance);
        assertThat(ledger()).hasSize(1);
    }

    @Test
    void closingAnswersWhatIsUnderWayAndEverythingAfter() {
        Term term = elect();
        connection.faults(FaultPlan.next(Call.APPEND, new Fault.Delay(Duration.ofSeconds(1), Duration.ZERO)));
        CompletableFuture<Appended> reply = future(seat.append(term, first(term)));

        connection.close();
        connection.close();

        assertThat(reply).isCompletedWithValueMatching(Appended.Indeterminate.class::isInstance);
        assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Unavailable.class);
    }

    @Test
    void outcomesAndEventsReachCallersThroughTheExecutorAlone() {
        Queue<Runnable> queue = new ArrayDeque<>();
        MemoryEngine queued = new MemoryEngine(LEASE, () -> nowNanos, queue::add);
        SeatAuthority queuedSeat = queued.connect(new NodeId("n1")).seat(SEAT);
        List<SeatEvent> told = new ArrayList<>();

        queuedSeat.watch(told::add);
        CompletableFuture<Promotion> reply = future(queuedSeat.promote(new Claim.Vacancy(), candidate));
        assertThat(told).isEmpty();
        assertThat(reply).isNotDone();
        while (!queue.isEmpty()) {
            queue.remove().run();
        }

        assertThat(told).hasSize(2);
        assertThat(reply).isCompletedWithValueMatching(Promotion.Elected.class::isInstance);
    }

    /** A listener that calls the engine is told of what it caused after it has returned. */
    @Test
    void aListenerMayCallTheEngine() {
        List<SeatEvent> told = new ArrayList<>();
        seat.watch(event -> {
            if (event instanceof SeatEvent.Taken taken) {
                Term term = taken.seating().term();
                assertThat(now(seat.append(term, first(term)))).isInstanceOf(Appended.Committed.class);
            }
            told.add(event);
        });

        Term term = elect();

        assertThat(told)
                .hasSize(3)
                .last()
                .isEqualTo(new SeatEvent.Advanced(first(term).asHead()));
    }

    private Term elect() {
        Promotion outcome = now(seat.promote(new Claim.Vacancy(), candidate));
        assertThat(outcome).isInstanceOf(Promotion.Elected.class);
        return ((Promotion.Elected) outcome).seating().term();
    }

    private static Entry first(Term term) {
        return Entry.after(Head.GENESIS, SEAT, term.epoch(), List.of(), Bytes.utf8("one"));
    }

    private List<Entry> ledger() {
        Page page = now(seat.read(Height.FIRST, PageLimit.DEFAULT));
        assertThat(page).isInstanceOf(Page.Entries.class);
        return ((Page.Entries) page).entries();
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
        engine.tick();
    }

    private static <R> CompletableFuture<R> future(CompletionStage<R> stage) {
        return stage.toCompletableFuture();
    }

    /** The outcome of a call that needs no time. */
    private static <R> R now(CompletionStage<R> stage) {
        assertThat(future(stage)).isDone();
        return future(stage).join();
    }
}
