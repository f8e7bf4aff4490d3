package dev.baton.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened, for people to read; long runs keep their end. */
public final class Transcript {

    private static final int KEPT = 400;

    private final Deque<String> lines = new ArrayDeque<>();

    void add(long atNanos, String line) {
        if (lines.size() == KEPT) {
            lines.removeFirst();
        }
        lines.addLast("%10.3f ms  %s".formatted(atNanos / 1e6, line));
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
