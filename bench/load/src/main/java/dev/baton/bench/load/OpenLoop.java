package dev.baton.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Questions at a fixed rate, however long answers take. A time is counted from the moment a question was due, and whenever
 * its answer comes, so that a server that stands still cannot hide it.
 */
public final class OpenLoop {

    /** The calls take turns, as many callers would. */
    private static final int CALLS = 64;

    private static final int MOST_OUT = 200_000;
    private static final long NAP_NANOS = 50_000;
    private static final long LAST_ANSWERS_SECONDS = 5;

    private OpenLoop() {}

    /** Blocks until the time is over and the last answers are there. */
    public static LoadReport run(LoadRequest request, IntFunction<AsyncCall> callOf) throws InterruptedException {
        AsyncCall[] calls = new AsyncCall[CALLS];
        for (int i = 0; i < CALLS; i++) {
            calls[i] = callOf.apply(i);
        }
        Seen seen = new Seen();
        AtomicLong out = new AtomicLong();
        double nanosApart = TimeUnit.SECONDS.toNanos(1) / request.ratePerSecond();
        long beganNanos = System.nanoTime();
        long countNanos = beganNanos + TimeUnit.MILLISECONDS.toNanos(request.warmMillis());
        long endNanos = countNanos + TimeUnit.MILLISECONDS.toNanos(request.millis());
        long asked = 0;
        for (long now = beganNanos; now < endNanos; now = System.nanoTime()) {
            if (!seen.counts() && now >= countNanos) {
                seen.begin();
            }
            long dueNanos = beganNanos + (long) (asked * nanosApart);
            if (dueNanos > now) {
                LockSupport.parkNanos(Math.min(NAP_NANOS, dueNanos - now));
                continue;
            }
            if (out.get() >= MOST_OUT) {
                throw new IllegalStateException(request.arm() + ": " + MOST_OUT + " questions wait for an answer at "
                        + Math.round(request.ratePerSecond()) + " a second (expected: a rate that can be served)");
            }
            ask(calls[(int) (asked % CALLS)], dueNanos, seen, out);
            asked++;
        }
        long giveUpNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_ANSWERS_SECONDS);
        while (out.get() > 0 && System.nanoTime() < giveUpNanos) {
            LockSupport.parkNanos(NAP_NANOS);
        }
        LoadReport report = seen.end(request.arm(), request.callers(), TimeUnit.MILLISECONDS.toNanos(request.millis()));
        long lost = out.get();
        return lost == 0 ? report : report.withLost(lost);
    }

    private static void ask(AsyncCall call, long dueNanos, Seen seen, AtomicLong out) {
        out.incrementAndGet();
        boolean counts = seen.counts();
        var unused = call.ask().whenComplete((value, failure) -> {
            if (failure != null) {
                seen.failed(failure);
            } else if (counts) {
                seen.answered();
                seen.took(System.nanoTime() - dueNanos);
            }
            out.decrementAndGet();
        });
    }
}
