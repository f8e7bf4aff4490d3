package dev.baton.bench.load;

/**
 * How a process of callers shall ask.
 *
 * @param arm what to ask, if the process knows several things
 * @param callers how many ask at the same time, each waiting for its answer before it asks again
 * @param warmMillis how long to ask before anything is counted
 * @param millis how long to count
 * @param ratePerSecond how many to ask a second however soon answers come; 0 means as soon as the last was answered
 */
public record LoadRequest(String arm, int callers, long warmMillis, long millis, double ratePerSecond) {

    public static LoadRequest closed(String arm, int callers, long warmMillis, long millis) {
        return new LoadRequest(arm, callers, warmMillis, millis, 0);
    }

    public static LoadRequest open(String arm, double ratePerSecond, long warmMillis, long millis) {
        return new LoadRequest(arm, 0, warmMillis, millis, ratePerSecond);
    }
}
