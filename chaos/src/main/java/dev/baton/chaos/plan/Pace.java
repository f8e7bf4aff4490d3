package dev.baton.chaos.plan;

import java.time.Duration;

/**
 * How hard a cluster is pressed.
 *
 * @param perMinute how many faults are planned for each minute of the whole run, at least
 * @param lease how long a holder keeps its seat without a sign of life; half of all pauses are longer where time allows
 * @param warmUp how long the cluster is left alone at the beginning
 * @param quietTail how long it is left alone at the end, so that its recovery can be judged
 */
public record Pace(int perMinute, Duration lease, Duration warmUp, Duration quietTail) {

    public Pace {
        if (perMinute < 1 || perMinute > 120) {
            throw new IllegalArgumentException("pace: " + perMinute + " faults a minute (expected: 1 to 120)");
        }
    }

    /** The pace for an authority: half as fast on NATS, whose own elections take seconds. */
    public static Pace usual(String authority, Duration lease) {
        boolean slow = authority.equals("nats");
        // At least 20 and 10 are asked for, and some turn out to be impossible, such as a handoff while nobody leads.
        return new Pace(slow ? 12 : 24, lease, Duration.ofSeconds(3), Duration.ofSeconds(slow ? 15 : 10));
    }
}
