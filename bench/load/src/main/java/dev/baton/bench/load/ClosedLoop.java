package dev.baton.bench.load;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Callers of which each asks as soon as its last question was answered. */
public final class ClosedLoop {

    private static final long LAST_ANSWERS_SECONDS = 5;

    /** Beyond so many callers the clock and the histogram would be a good part of what is measured. */
    private static final int EACH_TIMED_UP_TO = 2_048;

    private static final int TIMED_BEYOND = 16;
    private static final int AT_ONCE_IN_A_ROW = 64;
    private static final int TOO_MANY_FAILURES = 10_000;

    private ClosedLoop() {}

    /** Blocks until the time is over and the last answers are there. */
    public static LoadReport run(LoadRequest request, IntFunction<AsyncCall> callOf) throws InterruptedException {
        Seen seen = new Seen();
        Phaser asking = new Phaser(1);
        int timedEvery = request.callers() <= EACH_TIMED_UP_TO ? 1 : TIMED_BEYOND;
        Caller[] callers = new Caller[request.callers()];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = new Caller(callOf.apply(i), seen, asking, timedEvery);
        }
        for (Caller caller : callers) {
            asking.register();
            // Not here: a caller that is always answered at once goes on until it is stopped.
            Thread.startVirtualThread(caller::goOn);
        }
        TimeUnit.MILLISECONDS.sleep(request.warmMillis());
        seen.begin();
        TimeUnit.MILLISECONDS.sleep(request.millis());
        LoadReport report = seen.end(request.arm(), request.callers());
        for (Caller caller : callers) {
            caller.stop();
        }
        int lost = awaitLast(asking);
        return lost == 0 ? report : report.withLost(lost);
    }

    /** How many questions were not answered even some time after the end. */
    private static int awaitLast(Phaser asking) throws InterruptedException {
        try {
            asking.awaitAdvanceInterruptibly(asking.arrive(), LAST_ANSWERS_SECONDS, TimeUnit.SECONDS);
            return 0;
        } catch (TimeoutException e) {
            return asking.getUnarrivedParties();
        }
    }

    /** One caller; its steps follow one another, on whatever thread the answer came. */
    private static final class Caller {

        private final AsyncCall call;
        private final Seen seen;
        private final Phaser asking;
        private final int timedEvery;
        private int asked;
        private volatile boolean stopped;

        Caller(AsyncCall call, Seen seen, Phaser asking, int timedEvery) {
            this.call = call;
            this.seen = seen;
            this.asking = asking;
            this.timedEvery = timedEvery;
        }

        void stop() {
            stopped = true;
        }

        /** Asks until an answer takes a while: answers that are there at once would else deepen the stack. */
        void goOn() {
            while (!stopped && seen.failures() < TOO_MANY_FAILURES) {
                asked++;
                long beganNanos = asked % timedEvery == 0 ? System.nanoTime() : 0;
                CompletableFuture<?> answer;
                try {
                    answer = call.ask().toCompletableFuture();
                } catch (RuntimeException e) {
                    seen.failed(e);
                    continue;
                }
                if (!answer.isDone()) {
                    var unused = answer.whenComplete((value, failure) -> {
                        ended(beganNanos, failure);
                        goOn();
                    });
                    return;
                }
                ended(beganNanos, answer.isCompletedExceptionally() ? answer.exceptionNow() : null);
                if (asked % AT_ONCE_IN_A_ROW == 0) {
                    Thread.startVirtualThread(this::goOn); // others wait for a thread to carry them
                    return;
                }
            }
            asking.arriveAndDeregister();
        }

        private void ended(long beganNanos, @Nullable Throwable failure) {
            if (failure != null) {
                seen.failed(failure);
                return;
            }
            seen.answered();
            if (beganNanos != 0) {
                seen.took(System.nanoTime() - beganNanos);
            }
        }
    }
}
