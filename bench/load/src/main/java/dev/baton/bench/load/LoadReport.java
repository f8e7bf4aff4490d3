package dev.baton.bench.load;

/**
 * What callers saw.
 *
 * @param answered how many answers came while it was counted
 * @param failed how many came to nothing
 * @param failure the last reason of those, or nothing
 */
public record LoadReport(
        String arm,
        int callers,
        long answered,
        double opsPerSecond,
        double p50Micros,
        double p99Micros,
        double maxMicros,
        long failed,
        String failure) {

    /** The same, with questions that were never answered. */
    LoadReport withLost(long questions) {
        return new LoadReport(
                arm,
                callers,
                answered,
                opsPerSecond,
                p50Micros,
                p99Micros,
                maxMicros,
                failed + questions,
                questions + " questions were never answered" + (failure.isEmpty() ? "" : ", after " + failure));
    }
}
