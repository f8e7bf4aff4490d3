package dev.baton.cli.tokens.verify;

/**
 * A line of the log: tokens that a caller received.
 *
 * @param client who asked
 * @param clock whose monotonic clock the times are of; times of two clocks are never compared
 * @param end the last token plus 1
 * @param leased whether the namespace promises order only while clocks keep their rate
 * @param sentNanos when the request was sent first
 * @param receivedNanos when its answer was there
 */
public record HandedRange(
        String client,
        String clock,
        String namespace,
        boolean leased,
        long start,
        long end,
        long step,
        long revision,
        long epoch,
        long height,
        long sentNanos,
        long receivedNanos) {

    public HandedRange {
        if (start < 1 || end <= start || step < 1) {
            throw new IllegalArgumentException("tokens [" + start + ", " + end + ") step " + step
                    + " (expected: start and step from 1 on, end above start)");
        }
        if (receivedNanos < sentNanos) {
            throw new IllegalArgumentException(
                    "receivedNanos: " + receivedNanos + " (expected: not before sentNanos " + sentNanos + ")");
        }
    }

    /** The highest token. */
    public long last() {
        return start + (end - 1 - start) / step * step;
    }
}
