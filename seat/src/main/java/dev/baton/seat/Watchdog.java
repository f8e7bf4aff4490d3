package dev.baton.seat;

/** Whoever stops a term at its deadline, independently of the driver. */
interface Watchdog extends AutoCloseable {

    /** Watches this tenure instead of the last one; its deadline may move while it is watched. */
    void watch(SeatTenure tenure);

    /** There is no term to watch. */
    void rest();

    @Override
    void close();
}
