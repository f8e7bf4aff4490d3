package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.plan.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PressureTest {

    private static final long SECOND = 1_000_000_000L;

    private final List<Event> events = new ArrayList<>();

    private void fault(int id, FaultKind kind, long fromSeconds, long toSeconds) {
        events.add(new Event.FaultBegan(fromSeconds * SECOND, id, kind, List.of("n1"), Map.of()));
        events.add(new Event.FaultEnded(toSeconds * SECOND, id));
    }

    private Pressure pressure() {
        return Pressure.of(Account.of(events));
    }

    @Test
    void kindsAreCountedThatWereInForceAtOneMoment() {
        fault(1, FaultKind.KILL, 1, 5);
        fault(2, FaultKind.PAUSE, 2, 3);
        fault(3, FaultKind.LATENCY, 4, 8);
        fault(4, FaultKind.CLOCK, 6, 9);
        assertThat(pressure().mostAtOnce()).isEqualTo(2);

        fault(5, FaultKind.HANDOFF, 4, 5);
        assertThat(pressure().mostAtOnce()).isEqualTo(3);
    }

    @Test
    void twoOfOneKindAreOneKind() {
        fault(1, FaultKind.KILL, 1, 5);
        fault(2, FaultKind.KILL, 2, 4);
        assertThat(pressure().mostAtOnce()).isEqualTo(1);
    }

    @Test
    void whatCouldNotBeDonePressesNobody() {
        fault(1, FaultKind.KILL, 1, 5);
        fault(2, FaultKind.CLOCK, 2, 6);
        events.add(new Event.FaultFailed(6 * SECOND, 2, "not permitted"));
        assertThat(pressure()).isEqualTo(new Pressure(1, 10));
    }

    @Test
    void nothingIsNoPressure() {
        assertThat(pressure()).isEqualTo(new Pressure(0, 0));
    }
}
