package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import java.time.Duration;
import java.util.List;

/** Several observers as one. */
record SeatObservers(List<SeatObserver> all) implements SeatObserver {

    @Override
    public void stepped(Standing before, Input input, Step step) {
        all.forEach(observer -> observer.stepped(before, input, step));
    }

    @Override
    public void committed(Entry entry, Duration latency) {
        all.forEach(observer -> observer.committed(entry, latency));
    }

    @Override
    public void applied(Entry last) {
        all.forEach(observer -> observer.applied(last));
    }

    @Override
    public void problem(String what) {
        all.forEach(observer -> observer.problem(what));
    }

    @Override
    public void alarm(String what) {
        all.forEach(observer -> observer.alarm(what));
    }
}
