package dev.baton.seat;

/** What a program does while it holds a seat. */
@FunctionalInterface
public interface Task {

    /**
     * Runs in a thread of its own for as long as the term lasts; the thread is interrupted when the seat is lost.
     * Returning, like throwing, means that no more work is done: the seat is given back, and the task runs again
     * when this node next holds it. A program that is done for good closes its {@link JoinedSeat}.
     */
    void run(Holding holding) throws Exception;
}
