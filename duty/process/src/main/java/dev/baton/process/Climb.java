package dev.baton.process;

import java.time.Duration;

/** What came of climbing a ladder. */
public sealed interface Climb {

    Duration took();

    /** The workload is down: nothing of it was found any more. {@code by} names the rung that helped. */
    record Proven(String by, Duration took) implements Climb {}

    /** Processes were left after the last rung. */
    record Failed(String left, Duration took) implements Climb {}
}
