package dev.baton.duty.remote;

import dev.baton.process.Climb;
import dev.baton.process.FencingCount;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a sequencer, and returns when it is proven to have stopped and not before.
 *
 * <p>INV-22: what the sequencer says about a stop is never believed; only a look that finds it inactive is, or the end
 * of a lease at which it stops by itself. Not stopped by an interrupt: whoever began must finish.
 */
final class Stopping {

    private static final Logger LOG = LoggerFactory.getLogger(Stopping.class);

    /** Between two questions. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final RemoteSequencer remote;
    private final Duration callTimeout;
    private final FencingCount count = new FencingCount();

    Stopping(RemoteSequencer remote, Duration callTimeout) {
        this.remote = remote;
        this.callTimeout = callTimeout;
    }

    FencingCount count() {
        return count;
    }

    /**
     * Asks until it is proven. Whoever waits for this must not give the seat back meanwhile: the driver halts the
     * process when the term's time is up.
     *
     * @param startUnknown whether a request to start may still be under way, and undo what was seen
     * @param leaseIsOver whether it must have stopped by its own rule
     */
    void untilProven(Lease lease, String why, boolean startUnknown, BooleanSupplier leaseIsOver) {
        long begunNanos = System.nanoTime();
        String before = "";
        while (true) {
            String left = tryOnce(lease, startUnknown);
            Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
            if (left.isEmpty()) {
                proven(new Climb.Proven("asked", took), why);
                return;
            }
            if (leaseIsOver.getAsBoolean()) {
                proven(new Climb.Proven("its lease ran out", took), why);
                return;
            }
            if (!left.equals(before)) {
                count.note(new Climb.Failed(left, took));
                LOG.error(
                        "STOP NOT PROVEN after {} ms: the sequencer at {}: {}. Stop it by hand; the seat is not given"
                                + " back before it is known to have stopped",
                        took.toMillis(),
                        remote.address(),
                        left);
                before = left;
            }
            pause(PAUSE);
        }
    }

    private void proven(Climb.Proven climb, String why) {
        count.note(climb);
        LOG.info("the sequencer at {} stopped ({}): {}", remote.address(), why, climb);
    }

    /** Why it is not proven; empty if it is. */
    private String tryOnce(Lease lease, boolean startUnknown) {
        Stopped stopped = remote.stop(lease);
        String left = inactive(lease);
        if (left.isEmpty() && startUnknown && lease.until().isEmpty()) {
            pause(callTimeout); // a start that was under way has arrived by then, or never will
            left = inactive(lease);
        }
        return left.isEmpty() || stopped instanceof Stopped.Agreed ? left : left + " (" + stopped + ")";
    }

    private String inactive(Lease lease) {
        return switch (remote.look(lease.recorded())) {
            case Looked.Seen(RemoteView view) -> view.active() ? "it still works" : "";
            case Looked.Silent(String why) -> "no answer: " + why;
        };
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
        Thread.interrupted(); // a set flag would make every call fail and the loop spin
    }
}
