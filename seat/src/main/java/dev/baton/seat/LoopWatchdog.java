package dev.baton.seat;

import dev.baton.core.timing.Deadlines;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watchdog for loops that are not threads: it looks at the deadline by a timer of the loop itself. */
final class LoopWatchdog implements Watchdog {

    private final Loop loop;
    private final Consumer<SeatTenure> stopTerm;
    private @Nullable SeatTenure watched;
    private Loop.@Nullable Timer timer;

    LoopWatchdog(Loop loop, Consumer<SeatTenure> stopTerm) {
        this.loop = loop;
        this.stopTerm = stopTerm;
    }

    @Override
    public void watch(SeatTenure tenure) {
        rest();
        watched = tenure;
        timer = loop.schedule(tenure.deadlineNanos(), this::look);
    }

    private void look() {
        SeatTenure tenure = watched;
        if (tenure != null && Deadlines.isPast(tenure.deadlineNanos(), loop.nanos())) {
            rest();
            stopTerm.accept(tenure);
        }
    }

    @Override
    public void rest() {
        watched = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    @Override
    public void close() {
        rest();
    }
}
