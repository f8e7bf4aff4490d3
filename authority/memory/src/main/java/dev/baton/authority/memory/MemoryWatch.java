package dev.baton.authority.memory;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.core.SeatId;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The events on their way to one listener: one at a time and in order, whichever threads deliver them. */
final class MemoryWatch implements SeatAuthority.Watch {

    private final SeatId seat;
    private final Consumer<SeatEvent> listener;
    private final Consumer<MemoryWatch> onClose;

    private final Queue<SeatEvent> waiting = new ArrayDeque<>();
    private boolean delivering;
    private boolean cut;
    private boolean closed;

    MemoryWatch(SeatId seat, Consumer<SeatEvent> listener, Consumer<MemoryWatch> onClose) {
        this.seat = seat;
        this.listener = listener;
        this.onClose = onClose;
    }

    SeatId seat() {
        return seat;
    }

    synchronized void offer(SeatEvent event) {
        if (!closed && !cut) {
            waiting.add(event);
        }
    }

    synchronized boolean hasNews() {
        return !waiting.isEmpty() && !delivering;
    }

    void deliver() {
        for (SeatEvent next = begin(); next != null; next = proceed()) {
            listener.accept(next);
        }
    }

    private synchronized @Nullable SeatEvent begin() {
        if (delivering) {
            return null;
        }
        SeatEvent first = waiting.poll();
        delivering = first != null;
        return first;
    }

    private synchronized @Nullable SeatEvent proceed() {
        SeatEvent next = waiting.poll();
        delivering = next != null;
        return next;
    }

    /** From now on events are lost; the listener hears that when the connection is back. */
    synchronized void cut() {
        cut = true;
    }

    synchronized void heal() {
        cut = false;
        offer(new SeatEvent.Missed("the connection was cut"));
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
