package dev.baton.duty.mempool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
public final class TestClock implements InstantSource {

    private final AtomicLong millis = new AtomicLong(1_000_000);

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    public void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }
}
