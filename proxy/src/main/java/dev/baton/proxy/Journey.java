package dev.baton.proxy;

import dev.baton.proxy.ProxyMetrics.Outcome;
import dev.baton.proxy.ProxyMetrics.Route;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A request's way to the holder, which may take several attempts. What is the same for HTTP, gRPC and raw connections:
 * waiting, giving up, and counting. Used by one thread at a time.
 */
abstract class Journey {

    /** A node that says it does not hold the seat, although it did a moment ago, is asked again after this. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    /** What all journeys of a proxy share. */
    record Surroundings(SeatWatch watch, WaitingRoom room, ProxyMetrics metrics, Duration patience) {}

    private final Surroundings around;
    private final Route route;
    private final Executor thread;
    private final long beganNanos = System.nanoTime();
    private long heldNanos;
    private int attempts;
    private boolean ended;

    Journey(Surroundings around, Route route, Executor thread) {
        this.around = around;
        this.route = route;
        this.thread = thread;
        around.metrics().began();
    }

    /** Tries this node. Whatever comes of it, the journey goes on with one of the methods below. */
    abstract void attempt(Upstream upstream, View seen);

    /** There is no way; tells the client. */
    abstract void giveUp(Outcome outcome, String why);

    /** Bytes that are kept meanwhile. */
    abstract long keptBytes();

    /** Another node than the holder that will do, for requests that need no holder. */
    Optional<Upstream> elsewhere(View view) {
        return Optional.empty();
    }

    final void setOut() {
        View view = around.watch().view();
        Optional<Upstream> target = elsewhere(view).or(view::holder);
        if (target.isPresent()) {
            go(target.get(), view);
        } else {
            hold(view.version(), Long.MAX_VALUE);
        }
    }

    private void go(Upstream upstream, View view) {
        attempts++;
        attempt(upstream, view);
    }

    /** The attempt came to nothing, and nothing was done or doing it again is harmless. */
    final void again(View seen) {
        around.metrics().replayed(route);
        hold(seen.version(), RETRY_NANOS);
    }

    private void hold(long seenVersion, long retryNanos) {
        long fromNanos = System.nanoTime();
        around.room()
                .enter(
                        seenVersion,
                        new WaitingRoom.Guest(
                                beganNanos + around.patience().toNanos(),
                                retryNanos,
                                keptBytes(),
                                thread,
                                release -> released(release, fromNanos)));
    }

    private void released(WaitingRoom.Release release, long fromNanos) {
        heldNanos += System.nanoTime() - fromNanos;
        if (ended) {
            return;
        }
        switch (release) {
            case CALLED -> setOut();
            case TOO_LATE ->
                giveUp(
                        Outcome.TOO_LATE,
                        "nobody holds the seat after " + around.patience().toSeconds() + " s of waiting, attempts: "
                                + attempts);
            case FULL -> giveUp(Outcome.FULL, "nobody holds the seat, and too many requests wait for it already");
        }
    }

    /** Where clients see how long they were held back. */
    final long heldMillis() {
        return TimeUnit.NANOSECONDS.toMillis(heldNanos);
    }

    final boolean hasEnded() {
        return ended;
    }

    final void end(Outcome outcome) {
        if (!ended) {
            ended = true;
            if (heldNanos > 0) {
                around.metrics().held(heldNanos);
            }
            around.metrics().ended(route, outcome);
        }
    }
}
