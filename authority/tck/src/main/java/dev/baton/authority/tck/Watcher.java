package dev.baton.authority.tck;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A listener that writes down what it is told, and whether it was told two things at a time. */
final class Watcher implements AutoCloseable {

    private final List<SeatEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean overlapped;
    private final Patience patience;
    private final SeatAuthority.Watch watch;

    Watcher(SeatAuthority seat, Patience patience) {
        this.patience = patience;
        this.watch = seat.watch(this::write);
    }

    private void write(SeatEvent event) {
        if (inside.incrementAndGet() > 1) {
            overlapped = true;
        }
        events.add(event);
        inside.decrementAndGet();
    }

    List<SeatEvent> events() {
        return List.copyOf(events);
    }

    boolean overlapped() {
        return overlapped;
    }

    /** Waits until it has been told this, and returns everything told up to now. */
    List<SeatEvent> awaitEvent(String expectation, Predicate<SeatEvent> expected) {
        return patience.until(expectation, this::events, told -> told.stream().anyMatch(expected));
    }

    List<SeatEvent> await(SeatEvent event) {
        return awaitEvent("told " + event, event::equals);
    }

    @Override
    public void close() {
        watch.close();
    }
}
