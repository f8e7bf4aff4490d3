package dev.baton.bench.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * Which server took a write when, and what follows from it: for how long two took writes at once.
 *
 * <p>A promotion begins a new timeline, so writes on an earlier one after the first on a later one are a second
 * primary's. Only what is certain counts: a write belongs to the time between its beginning and its answer. Thread-safe.
 */
final class Sightings {

    /** A write that a server took. */
    record Taken(String server, int timeline, long begunNanos, long answeredNanos) {}

    private final List<Taken> all = new ArrayList<>();

    synchronized void add(Taken taken) {
        all.add(taken);
    }

    synchronized int size() {
        return all.size();
    }

    /** Until when a superseded server still took writes, counted from the first write that its successor took. */
    synchronized long twoPrimariesNanos() {
        long worstNanos = 0;
        for (Taken later : all) {
            for (Taken earlier : all) {
                if (earlier.timeline() < later.timeline() && earlier.begunNanos() - later.answeredNanos() > 0) {
                    worstNanos = Math.max(worstNanos, earlier.begunNanos() - later.answeredNanos());
                }
                if (earlier.timeline() == later.timeline() && !earlier.server().equals(later.server())) {
                    // Two histories of one number: whenever it was, the second should not have been there.
                    worstNanos = Math.max(worstNanos, Math.abs(earlier.begunNanos() - later.begunNanos()));
                }
            }
        }
        return worstNanos;
    }

    /** What was settled by earlier rounds need not be compared again. */
    synchronized void forgetAllButTheLast(int count) {
        all.subList(0, Math.max(0, all.size() - count)).clear();
    }
}
