package dev.baton.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Times of one kind of thing, few enough to keep every one of them. */
final class Sample {

    private final List<Long> nanos = new ArrayList<>();

    void add(long tookNanos) {
        nanos.add(tookNanos);
    }

    int size() {
        return nanos.size();
    }

    /** The smallest value that at least this share of all values does not exceed. */
    double millisAt(double share) {
        if (nanos.isEmpty()) {
            return Double.NaN;
        }
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(0, rank - 1)) / 1e6;
    }

    double medianMillis() {
        return millisAt(0.5);
    }

    Map<String, Object> summary() {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("p50Millis", rounded(millisAt(0.5)));
        summary.put("p95Millis", rounded(millisAt(0.95)));
        summary.put("maxMillis", rounded(millisAt(1)));
        return summary;
    }

    Map<String, Object> summaryWithP99() {
        Map<String, Object> summary = summary();
        summary.put("p99Millis", rounded(millisAt(0.99)));
        return summary;
    }

    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
