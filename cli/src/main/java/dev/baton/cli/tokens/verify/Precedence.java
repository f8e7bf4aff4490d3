package dev.baton.cli.tokens.verify;

import java.util.function.IntToLongFunction;

/**
 * Finds requests that were sent after another one of their group had been answered, but got a smaller value.
 *
 * <p>One walk through the requests in the order they were sent, and a second one behind it through the answers that had
 * arrived by then, which remembers the highest value so far.
 */
final class Precedence {

    /** A request, and one that was answered before it was sent and has the highest value of those. */
    interface Violation {
        void found(int request, int before);
    }

    private Precedence() {}

    /**
     * @param groups for each request the number of its group; only requests of one group are compared
     * @param mustExceed whether an equal value is a violation, too
     */
    static void check(
            RangeTable table, int[] groups, IntToLongFunction value, boolean mustExceed, Violation violation) {
        int[] sent = new RadixSort(table.size())
                .by(table::sentNanos)
                .by(request -> groups[request])
                .order();
        int[] answered = new RadixSort(table.size())
                .by(table::receivedNanos)
                .by(request -> groups[request])
                .order();
        int next = 0;
        int highest = -1;
        for (int i = 0; i < sent.length; i++) {
            int request = sent[i];
            if (i == 0 || groups[request] != groups[sent[i - 1]]) {
                // Both orders have the groups at the same places.
                next = i;
                highest = -1;
            }
            while (next < answered.length
                    && groups[answered[next]] == groups[request]
                    && table.receivedNanos(answered[next]) < table.sentNanos(request)) {
                int before = answered[next++];
                if (highest < 0 || value.applyAsLong(before) > value.applyAsLong(highest)) {
                    highest = before;
                }
            }
            if (highest >= 0) {
                int order = Long.compare(value.applyAsLong(request), value.applyAsLong(highest));
                if (order < 0 || (order == 0 && mustExceed)) {
                    violation.found(request, highest);
                }
            }
        }
    }
}
