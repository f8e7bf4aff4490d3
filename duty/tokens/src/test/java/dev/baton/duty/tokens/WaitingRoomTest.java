package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingRoomTest {

    private final AtomicInteger pulses = new AtomicInteger();
    private final List<Waiter> turnedAway = new ArrayList<>();
    private final WaitingRoom room = new WaitingRoom(4, pulses::incrementAndGet, turnedAway::add);

    private static Waiter one() {
        return new Waiter.ForTokens(new Ask("voucher", 1, Optional.empty(), false), Runnable::run, answer -> {});
    }

    @Test
    void nobodyGetsInWhenEveryPlaceIsTaken() {
        for (int i = 0; i < 4; i++) {
            assertThat(room.enter(one())).isTrue();
        }
        assertThat(room.enter(one())).isFalse();
        assertThat(room.waiting()).isEqualTo(4);
    }

    @Test
    void onePulseIsAskedForAllWhoComeBeforeTheDraft() {
        room.enter(one());
        room.enter(one());
        assertThat(pulses).hasValue(1);
        room.draftBegins();
        room.enter(one());
        assertThat(pulses).hasValue(2);
    }

    @Test
    void whoeverComesIntoAClosedRoomIsTurnedAway() {
        room.enter(one());
        room.close();
        room.enter(one());
        assertThat(turnedAway).hasSize(2);
        assertThat(room.waiting()).isZero();
    }

    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    /** Somebody who waits until so many are there, or until it is interrupted. */
    private Thread waitingFor(int number, CompletableFuture<Integer> came) {
        Thread thread = Thread.ofPlatform().start(() -> came.complete(room.await(number, LONG)));
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void whoWaitsForCompanyIsWokenByTheLastOfThem() {
        room.enter(one());
        CompletableFuture<Integer> came = new CompletableFuture<>();
        Thread host = waitingFor(3, came);
        room.enter(one());
        assertThat(came).isNotDone();
        await().until(() -> host.getState() == Thread.State.TIMED_WAITING);
        room.enter(one());
        await().until(came::isDone);
        assertThat(came).isCompletedWithValue(3);
    }

    @Test
    void whoIsThereAlreadyIsNotWaitedFor() {
        room.enter(one());
        assertThat(room.await(1, LONG)).isEqualTo(1);
    }

    @Test
    void companyThatDoesNotComeIsNotWaitedForLonger() {
        room.enter(one());
        assertThat(room.await(2, TimeUnit.MILLISECONDS.toNanos(1))).isEqualTo(1);
    }

    @Test
    void nobodyIsWaitedForInAClosedRoom() {
        CompletableFuture<Integer> came = new CompletableFuture<>();
        waitingFor(2, came);
        room.close();
        await().until(came::isDone);
        assertThat(room.await(2, LONG)).isZero();
    }

    @Test
    void whoIsInterruptedWaitsNoLongerAndIsStillInterrupted() {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread host = Thread.ofPlatform().start(() -> {
            room.await(2, LONG);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        await().until(() -> host.getState() == Thread.State.TIMED_WAITING);
        host.interrupt();
        await().until(interrupted::isDone);
        assertThat(interrupted).isCompletedWithValue(true);
    }
}
