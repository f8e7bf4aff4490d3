package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
}
