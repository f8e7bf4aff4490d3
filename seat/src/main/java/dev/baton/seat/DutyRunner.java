package dev.baton.seat;

/** Where a duty's blocking methods run: one call at a time, off the driver's loop. */
public interface DutyRunner extends AutoCloseable {

    /** Runs the call after those before it. */
    void run(Runnable call);

    /** Interrupts the call that is running now, if one is. Those that wait still run. */
    void interrupt();

    @Override
    void close();
}
