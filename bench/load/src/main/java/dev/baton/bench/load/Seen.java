package dev.baton.bench.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Counts answers of any number of threads, but only while it is told to. */
final class Seen {

    private static final double NANOS_A_MICRO = 1e3;
    private static final double NANOS_A_SECOND = 1e9;

    private final Recorder nanos = new Recorder(3);
    private final LongAdder answered = new LongAdder();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private volatile boolean counting;
    private long sinceNanos;

    void begin() {
        sinceNanos = System.nanoTime();
        counting = true;
    }

    boolean counts() {
        return counting;
    }

    void answered() {
        if (counting) {
            answered.increment();
        }
    }

    void took(long tookNanos) {
        if (counting) {
            nanos.recordValue(Math.max(0, tookNanos));
        }
    }

    void failed(Throwable why) {
        failed.incrementAndGet();
        failure.set(String.valueOf(why));
    }

    long failures() {
        return failed.get();
    }

    /** Stops counting. */
    LoadReport end(String arm, int callers) {
        return end(arm, callers, System.nanoTime() - sinceNanos);
    }

    /** Stops counting what was asked within so much time. */
    LoadReport end(String arm, int callers, long withinNanos) {
        counting = false;
        double seconds = withinNanos / NANOS_A_SECOND;
        Histogram all = nanos.getIntervalHistogram();
        return new LoadReport(
                arm,
                callers,
                answered.sum(),
                answered.sum() / seconds,
                microsAt(all, 50),
                microsAt(all, 99),
                microsAt(all, 100),
                failed.get(),
                failure.get());
    }

    /** Not a number if there was no answer: 0 would be the best that there is. */
    private static double microsAt(Histogram all, double percent) {
        return all.getTotalCount() == 0 ? Double.NaN : all.getValueAtPercentile(percent) / NANOS_A_MICRO;
    }
}
