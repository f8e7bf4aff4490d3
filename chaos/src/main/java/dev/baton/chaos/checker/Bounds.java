package dev.baton.chaos.checker;

import java.time.Duration;

/**
 * Where too little begins.
 *
 * @param recovery how soon after the last fault a commit must be seen
 * @param level how far back in time a store or an engine server may be at the end
 * @param fewestPerMinute how many commits a minute there must be at least, else the run fails
 * @param fewestFaults how many faults must have been done, else nothing was shown
 */
public record Bounds(Duration recovery, Duration level, int fewestPerMinute, int fewestFaults) {

    /** For a run of the usual pace; half of the planned faults have to be done in any case. */
    public static Bounds usual() {
        return new Bounds(Duration.ofSeconds(10), Duration.ofSeconds(5), 10, 1);
    }
}
