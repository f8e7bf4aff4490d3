package dev.baton.chaos.cluster;

import java.time.Duration;

/** What every seat's settings have in common. */
public final class SeatYaml {

    private SeatYaml() {}

    /** The beginning of a seat: its name, its duty, its times. What is added has four blanks in front. */
    public static StringBuilder seat(String name, String duty) {
        return seat(name, duty, Cluster.LEASE);
    }

    /** The same with another takeover delay; what is added may go on with the settings of the takeover. */
    public static StringBuilder seat(String name, String duty, Duration lease) {
        // Slower than a machine of its own would need: several things run on this one.
        return new StringBuilder()
                .append("  - name: ")
                .append(name)
                .append("\n    duty: ")
                .append(duty)
                .append("\n    pulse:\n      interval: 250ms\n      timeout: 900ms\n    takeover:\n      delay: ")
                .append(lease.toMillis())
                .append("ms\n");
    }
}
