package dev.baton.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.Authority;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Ticket;
import dev.baton.core.standing.Standing;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.TermOverException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JoinedSeatTest {

    private static final SeatTimings FAST = new SeatTimings(
            Duration.ofMillis(50),
            Duration.ofMillis(300),
            PulsePolicy.DEFAULT,
            Duration.ZERO,
            Duration.ofMillis(50),
            new BigDecimal("1.01"),
            Optional.empty());

    private final MemoryEngine engine = new MemoryEngine(FAST.takeoverDelay());
    private final List<JoinedSeat> joined = new ArrayList<>();

    @AfterEach
    void leaveAll() {
        joined.forEach(JoinedSeat::close);
    }

    private MemoryAuthority connect(String node) {
        return engine.connect(new NodeId(node));
    }

    private JoinedSeat join(String node, Task task) {
        return join(node, connect(node), task);
    }

    private JoinedSeat join(String node, Authority authority, Task task) {
        JoinedSeat seat = Seat.of("test", "jobs")
                .contender(node)
                .timings(FAST)
                .onCannotStop(why -> {
                    throw new AssertionError(why);
                })
                .join(authority, task);
        joined.add(seat);
        return seat;
    }

    private static void idle(Holding holding) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private List<Entry> ledger() {
        var page = engine.connect(new NodeId("reader"))
                .seat(dev.baton.core.SeatId.of("test", "jobs"))
                .read(Height.FIRST, PageLimit.DEFAULT)
                .toCompletableFuture()
                .join();
        return ((Page.Entries) page).entries();
    }

    @Test
    void aTaskAppendsWhileItHoldsTheSeat() throws Exception {
        BlockingQueue<Entry> committed = new LinkedBlockingQueue<>();
        join("n1", holding -> {
            for (int i = 0; i < 3; i++) {
                committed.add(holding.append(Bytes.utf8("job " + i)));
            }
            idle(holding);
        });
        for (int i = 0; i < 3; i++) {
            Entry entry = committed.poll(10, TimeUnit.SECONDS);
            assertThat(entry).isNotNull();
            assertThat(entry.payload().toUtf8()).isEqualTo("job " + i);
            assertThat(ledger()).contains(entry);
        }
    }

    /** It once told so at its next poll only, and a target that had everything was refused a handoff for being behind. */
    @Test
    void aFollowerTellsAtOnceWhatItHasApplied() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        JoinedSeat leader = join("n1", holding -> {
            begin.await();
            for (int i = 0; i < 20; i++) {
                holding.append(Bytes.utf8("job " + i));
            }
            idle(holding);
        });
        await().until(() -> leader.status().leads());
        BlockingQueue<Height> untold = new LinkedBlockingQueue<>();
        CountDownLatch all = new CountDownLatch(20);
        AtomicReference<JoinedSeat> follower = new AtomicReference<>();
        SeatObserver onlooker = new SeatObserver() {
            @Override
            public void applied(Entry last) {
                JoinedSeat self = follower.get();
                if (self != null && self.status().applied().isBelow(last.height())) {
                    untold.add(last.height());
                }
                all.countDown();
            }
        };
        follower.set(Seat.of("test", "jobs")
                .contender("n2")
                .timings(FAST)
                .observedBy(onlooker)
                .join(connect("n2"), JoinedSeatTest::idle));
        joined.add(follower.get());
        begin.countDown();

        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(untold).isEmpty();
    }

    /** A leader once named nobody as holder for the whole of its term, because it had asked just before it was elected. */
    @Test
    void aLookFromBeforeTheOwnTermChangesNothing() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        SlowSight slow = new SlowSight(connect("n2"));
        JoinedSeat second = join("n2", slow, JoinedSeatTest::idle);
        await().until(() -> second.status().currentHolder().isPresent()
                && second.status().readiness().isReady());
        slow.holdNextLook();
        await().until(slow::holdsALook);
        first.close();
        await().until(() -> second.status().leads());

        slow.answerNow();

        Height then = second.status().head().height();
        await().until(() -> second.status().head().height().isAbove(then.next()));
        assertThat(second.status().currentHolder())
                .hasValueSatisfying(by -> assertThat(by.term().node()).isEqualTo(new NodeId("n2")));
    }

    /** INV-6: a process that was paused must not say that it leads, though nothing has run in it since. */
    @Test
    void whatIsToldOfALeaderEndsWithItsDeadline() {
        JoinedSeat seat = join("n1", JoinedSeatTest::idle);
        await().until(() -> seat.status().leadsAt(System.nanoTime()));

        SeatStatus before = seat.status();
        long laterNanos = System.nanoTime() + FAST.takeoverDelay().toNanos();

        assertThat(before.leadsAt(laterNanos)).isFalse();
    }

    @Test
    void theOpeningEntrySaysWhoseTermItIs() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        assertThat(ledger().getFirst().facts()).singleElement().isInstanceOfSatisfying(Fact.Opened.class, opened -> {
            assertThat(opened.seating().term().node()).hasToString("n1");
            assertThat(opened.predecessorEnded()).isEqualTo(Ending.NONE);
        });
    }

    @Test
    void aLeaverIsFollowedAtOnceAndTheLedgerGoesOnWithoutAGap() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        JoinedSeat second = join("n2", JoinedSeatTest::idle);
        await().until(() -> second.status().currentHolder().isPresent());

        first.close();

        await().until(() -> second.status().leads());
        List<Entry> entries = ledger();
        for (int i = 1; i < entries.size(); i++) {
            assertThat(entries.get(i).follows(entries.get(i - 1).asHead())).isTrue();
        }
        assertThat(entries.stream().flatMap(entry -> entry.facts().stream()).toList())
                .filteredOn(Fact.Opened.class::isInstance)
                .hasSize(2)
                .last()
                .isInstanceOfSatisfying(
                        Fact.Opened.class,
                        opened -> assertThat(opened.predecessorEnded()).isEqualTo(Ending.RESIGNED));
    }

    @Test
    void whoIsCutOffLosesTheSeatAndItsTaskIsInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        MemoryAuthority connection = connect("n1");
        JoinedSeat first = join("n1", connection, holding -> {
            try {
                idle(holding);
            } catch (InterruptedException e) {
                assertThat(holding.holds()).isFalse();
                interrupted.countDown();
                throw e;
            }
        });
        await().until(() -> first.status().leads());
        JoinedSeat second = join("n2", JoinedSeatTest::idle);

        connection.cut();

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(first.status().standing()).isInstanceOf(Standing.Fenced.class);
        await().until(() -> second.status().leads());

        connection.heal();
        await().until(() -> first.status().standing() instanceof Standing.Follower);
        assertThat(first.status().explain()).contains("n2 does");
    }

    @Test
    void aTaskThatIsOutOfItsTermCannotAppend() {
        AtomicReference<Holding> kept = new AtomicReference<>();
        JoinedSeat first = join("n1", holding -> {
            kept.set(holding);
            idle(holding);
        });
        await().until(() -> first.status().leads() && kept.get() != null);
        first.pause("test");
        await().until(() -> first.status().standing() instanceof Standing.Paused);
        int size = ledger().size();

        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> kept.get().append(Bytes.utf8("too late"))))
                .isInstanceOf(TermOverException.class);
        assertThat(ledger()).hasSize(size);
    }

    @Test
    void aPausedNodeStandsAgainAfterResume() {
        JoinedSeat only = join("n1", JoinedSeatTest::idle);
        await().until(() -> only.status().leads());
        only.pause("maintenance");
        await().until(() -> only.status().standing() instanceof Standing.Paused);
        assertThat(only.status().explain()).contains("maintenance");
        only.resume();
        await().until(() -> only.status().leads());
    }

    @Test
    void aTaskThatFailsLosesTheSeatToOneThatWorks() {
        CountDownLatch fail = new CountDownLatch(1);
        JoinedSeat broken = join("n1", holding -> {
            fail.await();
            throw new IllegalStateException("no disk");
        });
        await().until(() -> broken.status().leads());
        JoinedSeat healthy = join("n2", JoinedSeatTest::idle);
        await().until(() -> healthy.status().readiness().isReady());

        fail.countDown();

        await().until(() -> healthy.status().leads());
    }

    @Test
    void aSeatIsHandedOverByTicket() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        JoinedSeat second = join("n2", JoinedSeatTest::idle);
        await().until(() -> second.status().readiness().isReady());

        Handover issued = first.handoff(new NodeId("n2"), Duration.ofMillis(300))
                .toCompletableFuture()
                .join();
        assertThat(issued).isInstanceOf(Handover.Issued.class);
        Handover taken = second.takeOver(((Handover.Issued) issued).ticket())
                .toCompletableFuture()
                .join();

        assertThat(taken).isInstanceOf(Handover.Taken.class);
        await().until(() -> first.status().standing() instanceof Standing.Follower);
        assertThat(second.status().leads()).isTrue();
    }

    @Test
    void anUnusedTicketIsAbortedByAnEntryAndTheOldHolderWorksOn() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());

        Handover issued = first.handoff(new NodeId("n2"), Duration.ofMillis(100))
                .toCompletableFuture()
                .join();
        assertThat(issued).isInstanceOf(Handover.Issued.class);

        await().until(() -> first.status().standing() instanceof Standing.Leader);
        assertThat(ledger().stream().flatMap(entry -> entry.facts().stream()).toList())
                .contains(new Fact.HandoffAborted(new NodeId("n2")));
        JoinedSeat late = join("n2", JoinedSeatTest::idle);
        await().until(() -> late.status().readiness().isReady());
        Handover refused = late.takeOver(((Handover.Issued) issued).ticket())
                .toCompletableFuture()
                .join();
        assertThat(refused).isInstanceOf(Handover.Refused.class);
    }

    private static Ticket issued(JoinedSeat holder, Duration validFor) {
        Handover issued =
                holder.handoff(new NodeId("n2"), validFor).toCompletableFuture().join();
        assertThat(issued).isInstanceOf(Handover.Issued.class);
        return ((Handover.Issued) issued).ticket();
    }

    /** Its holder stays still for it all the while: to give up at the first refusal would cost a pause for nothing. */
    @Test
    void aTicketThatTheEngineRefusesForAMomentIsPresentedAgain() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        SlowSight engineOfSecond = new SlowSight(connect("n2"));
        JoinedSeat second = join("n2", engineOfSecond, JoinedSeatTest::idle);
        await().until(() -> second.status().readiness().isReady());
        engineOfSecond.refuseTickets(3);

        Handover taken = second.takeOver(issued(first, Duration.ofSeconds(20)))
                .toCompletableFuture()
                .join();

        assertThat(taken).isInstanceOf(Handover.Taken.class);
        await().until(() -> second.status().leads());
    }

    @Test
    void aTicketThatTheEngineKeepsRefusingIsGivenUpWhenItExpires() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        SlowSight engineOfSecond = new SlowSight(connect("n2"));
        JoinedSeat second = join("n2", engineOfSecond, JoinedSeatTest::idle);
        await().until(() -> second.status().readiness().isReady());
        engineOfSecond.refuseTickets(Integer.MAX_VALUE);

        Handover refused = second.takeOver(issued(first, Duration.ofMillis(300)))
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();

        assertThat(refused).isInstanceOf(Handover.Refused.class);
        await().until(() -> first.status().standing() instanceof Standing.Leader);
    }

    /** INV-9: what the holder committed after it issued the ticket spoils it, however long it was to be valid. */
    @Test
    void aTicketIsGivenUpAtOnceWhenTheSeatHasMovedOn() {
        JoinedSeat first = join("n1", JoinedSeatTest::idle);
        await().until(() -> first.status().leads());
        JoinedSeat second = join("n2", JoinedSeatTest::idle);
        await().until(() -> second.status().readiness().isReady());
        Ticket ticket = issued(first, Duration.ofMinutes(10));
        assertThat(first.abortHandoff().toCompletableFuture().join()).isInstanceOf(Handover.Aborted.class);

        Handover refused = second.takeOver(ticket)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();

        assertThat(refused).isInstanceOf(Handover.Refused.class);
        assertThat(first.status().leads()).isTrue();
    }
}
