package dev.baton.seat;

import dev.baton.core.Head;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.timing.Deadlines;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.time.Duration;

/** The tenure that a driver hands to its duty, and ends. */
final class SeatTenure implements Tenure {

    private final SeatId seat;
    private final Term term;
    private final Loop loop;
    private final Runnable pulseRequest;
    private volatile Head head;
    private volatile long deadlineNanos;
    private volatile boolean quiet;
    private volatile boolean mayResign;
    private volatile boolean over;
    private boolean relinquished;

    SeatTenure(SeatId seat, Term term, Head head, long deadlineNanos, Loop loop, Runnable pulseRequest) {
        this.seat = seat;
        this.term = term;
        this.head = head;
        this.deadlineNanos = deadlineNanos;
        this.loop = loop;
        this.pulseRequest = pulseRequest;
    }

    @Override
    public SeatId seat() {
        return seat;
    }

    @Override
    public Term term() {
        return term;
    }

    @Override
    public Head head() {
        return head;
    }

    @Override
    public boolean holds() {
        return !over && !Deadlines.isPast(deadlineNanos, loop.nanos());
    }

    @Override
    public boolean isQuiet() {
        return quiet;
    }

    @Override
    public Duration timeLeft() {
        return over ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadlineNanos - loop.nanos()));
    }

    @Override
    public void requestPulse() {
        if (!over) {
            pulseRequest.run();
        }
    }

    /** Whether this term may be given back with the word that nobody acts any more (INV-8). */
    boolean mayResign() {
        return mayResign;
    }

    void mayResign(boolean allowed) {
        mayResign = allowed;
    }

    void advance(Head newHead) {
        head = newHead;
    }

    void keepQuiet(boolean still) {
        quiet = still;
    }

    void renew(long newDeadlineNanos) {
        deadlineNanos = newDeadlineNanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /**
     * Ends the term for the duty. Driver and watchdog may both come here; the second waits for the first, so that
     * whoever returns knows that the duty has stopped.
     */
    void end(Duty duty, DutyRunner runner, String why) {
        over = true;
        synchronized (this) {
            if (!relinquished) {
                relinquished = true;
                runner.interrupt();
                duty.relinquish(this, why);
            }
        }
    }
}
