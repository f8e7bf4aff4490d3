package dev.baton.seat;

import dev.baton.core.Entry;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import java.time.Duration;

/** Hears what a driver does, for metrics and logs. Called on the driver's loop; must not block. */
public interface SeatObserver {

    SeatObserver NONE = new SeatObserver() {};

    /** An input was taken. {@code step.next()} may be of the same kind as {@code before}. */
    default void stepped(Standing before, Input input, Step step) {}

    /** An own entry was committed. */
    default void committed(Entry entry, Duration latency) {}

    /** Entries of another holder were applied. */
    default void applied(Entry last) {}

    /** Something failed; the driver goes on. */
    default void problem(String what) {}

    /** Something needs a person. */
    default void alarm(String what) {}
}
