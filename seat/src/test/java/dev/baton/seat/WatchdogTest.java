package dev.baton.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    private static final SeatTimings TIMINGS = SeatTimings.everyInterval(Duration.ofMillis(50));

    private final MemoryEngine engine = new MemoryEngine(TIMINGS.takeoverDelay());
    private final LinkedBlockingQueue<String> halted = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void aHungDriverLosesItsTermAtTheDeadline() {
        HangingDuty duty = new HangingDuty(new CountDownLatch(0));
        SeatObserver hanging = new SeatObserver() {
            @Override
            public void stepped(Standing before, Input input, Step step) {
                if (step.next() instanceof Standing.Leader) {
                    hang(release); // on the driver's loop, which now does nothing any more
                }
            }
        };
        try (JoinedSeat seat = join(duty, hanging)) {
            await().until(() -> duty.relinquished);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> engine.connect(new NodeId("n2"))
                                    .seat(SeatId.of("test", "seat"))
                                    .look()
                                    .toCompletableFuture()
                                    .join()
                            instanceof dev.baton.authority.Look.Vacant);
            assertThat(halted).isEmpty();
            release.countDown();
            Term ended = Objects.requireNonNull(duty.ended);
            await().until(() -> !(seat.status().standing() instanceof Standing.Tenured tenured)
                    || !tenured.tenancy().term().equals(ended));
        }
    }

    @Test
    void aDutyThatCannotBeStoppedHaltsTheProcess() throws Exception {
        HangingDuty duty = new HangingDuty(release);
        JoinedSeat seat = join(duty, new SeatObserver() {
            @Override
            public void stepped(Standing before, Input input, Step step) {
                if (step.next() instanceof Standing.Leader) {
                    hang(release);
                }
            }
        });
        assertThat(halted.poll(20, java.util.concurrent.TimeUnit.SECONDS)).contains("could not be stopped");
        release.countDown();
        seat.close();
    }

    /** INV-6: later deadlines wake nobody, but an earlier one must not be slept through. */
    @Test
    void anEarlierDeadlineOfTheSameTermIsKept() throws Exception {
        LinkedBlockingQueue<SeatTenure> stopped = new LinkedBlockingQueue<>();
        LoopThread loop = new LoopThread("loop", defect -> halted.add(defect.toString()));
        WatchdogThread watchdog = new WatchdogThread("watchdog", Duration.ofSeconds(10), stopped::add, halted::add);
        Term term = new Term(new Epoch(1), Seat.newHolder(new NodeId("n1")));
        SeatTenure tenure = new SeatTenure(
                SeatId.of("test", "seat"),
                term,
                Head.GENESIS,
                loop.nanos() + Duration.ofHours(1).toNanos(),
                loop,
                () -> {});
        watchdog.watch(tenure);
        await().until(() -> isAsleep("watchdog"));
        tenure.renew(loop.nanos() + Duration.ofHours(2).toNanos());
        watchdog.watch(tenure);
        tenure.renew(loop.nanos() + Duration.ofMillis(20).toNanos());
        watchdog.watch(tenure);
        assertThat(stopped.poll(20, java.util.concurrent.TimeUnit.SECONDS)).isSameAs(tenure);
        watchdog.close();
        loop.close();
        assertThat(halted).isEmpty();
    }

    private static boolean isAsleep(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name) && thread.getState() == Thread.State.TIMED_WAITING);
    }

    private JoinedSeat join(Duty duty, SeatObserver observer) {
        return Seat.of("test", "seat")
                .contender("n1")
                .timings(TIMINGS)
                .observedBy(observer)
                .onCannotStop(halted::add)
                .join(engine.connect(new NodeId("n1")), duty);
    }

    private static void hang(CountDownLatch until) {
        boolean waiting = true;
        while (waiting) {
            try {
                until.await();
                waiting = false;
            } catch (InterruptedException e) {
                // hangs all the same
            }
        }
    }

    /** Stops only when the latch opens. */
    private static final class HangingDuty implements Duty {
        private final CountDownLatch stops;
        private volatile Height applied = Height.ZERO;
        volatile boolean relinquished;
        volatile @Nullable Term ended;

        HangingDuty(CountDownLatch stops) {
            this.stops = stops;
        }

        @Override
        public Fencing fencing() {
            return Fencing.AT_LEDGER;
        }

        @Override
        public Height applied() {
            return applied;
        }

        @Override
        public Readiness readiness() {
            return new Readiness.Ready();
        }

        @Override
        public void apply(List<Entry> entries) {
            applied = entries.getLast().height();
        }

        @Override
        public void catchUp(Height oldest) {}

        @Override
        public void assume(Tenure tenure) {}

        @Override
        public Draft draft(Tenure tenure) {
            return Draft.of(dev.baton.core.Bytes.EMPTY);
        }

        @Override
        public void release(Tenure tenure, Entry entry) {
            applied = entry.height();
        }

        @Override
        public void relinquish(Tenure tenure, String why) {
            hang(stops);
            ended = tenure.term();
            relinquished = true;
        }

        @Override
        public void probe() {}
    }
}
