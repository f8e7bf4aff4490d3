package dev.baton.node.metrics;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts calls, answered and made, over the last minute. Thread-safe. */
public final class CallMeter implements ServerInterceptor {

    private static final int SECONDS = 60;

    /** What went wrong on our side of the line; a caller's own mistake or departure is not an error of the service. */
    private static final Set<Status.Code> ERRORS = EnumSet.of(
            Status.Code.UNAVAILABLE,
            Status.Code.INTERNAL,
            Status.Code.UNKNOWN,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.DATA_LOSS,
            Status.Code.ABORTED,
            Status.Code.RESOURCE_EXHAUSTED);

    private final LongSupplier nanoClock;
    private final long[] second = new long[SECONDS];
    private final long[] all = new long[SECONDS];
    private final long[] errors = new long[SECONDS];

    public CallMeter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    public void succeeded() {
        count(false);
    }

    public void failed() {
        count(true);
    }

    private synchronized void count(boolean error) {
        long now = now();
        int slot = (int) Math.floorMod(now, (long) SECONDS);
        if (second[slot] != now) {
            second[slot] = now;
            all[slot] = 0;
            errors[slot] = 0;
        }
        all[slot]++;
        errors[slot] += error ? 1 : 0;
    }

    /** The share of calls that failed, from 0 to 1; 0 if there were none. */
    public synchronized double errorRate() {
        long now = now();
        long sumAll = 0;
        long sumErrors = 0;
        for (int slot = 0; slot < SECONDS; slot++) {
            if (now - second[slot] < SECONDS) {
                sumAll += all[slot];
                sumErrors += errors[slot];
            }
        }
        return sumAll == 0 ? 0 : (double) sumErrors / sumAll;
    }

    private long now() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong());
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return next.startCall(
                new SimpleForwardingServerCall<Q, A>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        count(ERRORS.contains(status.getCode()));
                        super.close(status, trailers);
                    }
                },
                headers);
    }
}
