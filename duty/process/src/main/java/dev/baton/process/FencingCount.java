package dev.baton.process;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How often a workload was stopped, by which rung, and whether it ever could not be. Thread-safe. */
public final class FencingCount {

    private final Map<String, Long> stopped = new ConcurrentHashMap<>();
    private final AtomicLong failures = new AtomicLong();
    private volatile Duration lastTook = Duration.ZERO;

    public void note(Climb climb) {
        lastTook = climb.took();
        switch (climb) {
            case Climb.Proven(String by, Duration took) -> stopped.merge(by, 1L, Long::sum);
            case Climb.Failed ignored -> failures.incrementAndGet();
        }
    }

    public Map<String, Long> stopped() {
        return Map.copyOf(stopped);
    }

    public long failures() {
        return failures.get();
    }

    public Duration lastTook() {
        return lastTook;
    }
}
