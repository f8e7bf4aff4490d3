package dev.baton.seat;

/** What a program does while it holds a seat. */
@FunctionalInterface
public interface Task {

    /**
     * Runs in a thread of its own for as long as the term lasts; the thread is interrupted when the seat is lost.
     * Returning gives the seat back for good; an exception gives it back until probes succeed.
     */
    void run(Holding holding) throws Exception;
}
