package dev.baton.authority.raft;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.core.SeatId;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The events on their way to one listener. */
final class SeatWatch implements SeatAuthority.Watch {

    /** A listener that is so far behind loses events, and is told so. */
    private static final int BUFFER = 4096;

    private final SeatId seat;
    private final Consumer<SeatEvent> listener;
    private final Consumer<SeatWatch> onClose;

    private final Queue<SeatEvent> waiting = new ArrayDeque<>();
    private boolean closed;

    SeatWatch(SeatId seat, Consumer<SeatEvent> listener, Consumer<SeatWatch> onClose) {
        this.seat = seat;
        this.listener = listener;
        this.onClose = onClose;
    }

    SeatId seat() {
        return seat;
    }

    synchronized void offer(SeatEvent event) {
        if (closed) {
            return;
        }
        if (waiting.size() >= BUFFER) {
            waiting.clear();
            waiting.add(new SeatEvent.Missed("the listener was " + BUFFER + " events behind"));
        }
        waiting.add(event);
    }

    private synchronized @Nullable SeatEvent next() {
        return waiting.poll();
    }

    /** Tells the listener everything that waits. Only the events thread calls this. */
    void deliver() {
        for (SeatEvent event = next(); event != null; event = next()) {
            listener.accept(event);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        onClose.accept(this);
    }
}
