package dev.baton.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Surroundings in which a test holds the dice, can put the clock forward, and sees each pause. */
final class Clockwork {

    /** The client looks after deadlines this often; every other delay is a pause between tries. */
    private static final long REVIEW_NANOS = 20_000_000;

    private final Machinery machinery = new Machinery();
    private final AtomicLong aheadNanos = new AtomicLong();
    private volatile double dice = 0.5;
    final List<Long> pausesNanos = new CopyOnWriteArrayList<>();

    Surroundings surroundings() {
        Surroundings real = machinery.surroundings();
        return new Surroundings(
                () -> System.nanoTime() + aheadNanos.get(),
                () -> dice,
                (delayNanos, task) -> {
                    if (delayNanos != REVIEW_NANOS) {
                        pausesNanos.add(delayNanos);
                    }
                    real.timer().after(delayNanos, task);
                },
                real.worker());
    }

    Clockwork dice(double value) {
        dice = value;
        return this;
    }

    void putForward(Duration by) {
        aheadNanos.addAndGet(by.toNanos());
    }

    TokenClient build(TokenClientBuilder builder) {
        return builder.build(builder.settings(), surroundings(), machinery::stop);
    }
}
