package dev.baton.chaos.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One fault of a schedule: what is to happen to whom, from when on and for how long.
 *
 * <p>A target is the name of a process, or {@link #LEADER}: whoever leads when the fault begins, or {@link #COMPANION}.
 *
 * @param id its number in the schedule, from 1; {@code FaultBegan} and {@code FaultEnded} refer to it
 * @param atNanos when it begins, from the beginning of the run
 * @param lastingNanos how long it lasts, its repair (restart, reconnection) not included
 * @param parameters what the kind needs beyond its targets, see {@link FaultKind}; units in the names
 */
public record PlannedFault(
        int id, long atNanos, long lastingNanos, FaultKind kind, List<String> targets, Map<String, String> parameters) {

    /** The target that stands for whoever leads at that moment. */
    public static final String LEADER = "@leader";

    /** The target that stands for what runs beside whoever leads at that moment. */
    public static final String COMPANION = "@companion";

    public PlannedFault {
        if (atNanos < 0 || lastingNanos < 0) {
            throw new IllegalArgumentException(
                    "fault " + id + ": at " + atNanos + " ns for " + lastingNanos + " ns (expected: neither below 0)");
        }
        targets = List.copyOf(targets);
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** When it is over, if all goes as planned. */
    public long endNanos() {
        return atNanos + lastingNanos;
    }

    /** The parameter; a schedule that lacks it is broken. */
    public String text(String parameter) {
        String value = parameters.get(parameter);
        if (value == null) {
            throw new IllegalStateException("fault " + id + " (" + kind.label() + "): no parameter " + parameter);
        }
        return value;
    }

    /** The parameter as a number. */
    public long number(String parameter) {
        return Long.parseLong(text(parameter));
    }
}
