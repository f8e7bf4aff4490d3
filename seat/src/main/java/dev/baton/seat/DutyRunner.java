package dev.baton.seat;

import java.util.function.Supplier;

/** Where a duty's blocking methods run: one call at a time, off the driver's loop. */
public interface DutyRunner extends AutoCloseable {

    /** Runs the call after those before it, and then, as a task of the driver's loop, what it returns. */
    void run(Supplier<Runnable> call);

    /** Interrupts the call that is running now, if one is. Those that wait still run. */
    void interrupt();

    @Override
    void close();
}
