package dev.baton.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** What happened, for people to read; long runs keep their end. Lines are put into words only when somebody reads. */
public final class Transcript {

    private static final int KEPT = 20_000;

    private record Line(long atNanos, Supplier<String> words) {
        @Override
        public String toString() {
            return "%10.3f ms  %s".formatted(atNanos / 1e6, words.get());
        }
    }

    private final Deque<Line> lines = new ArrayDeque<>();

    void add(long atNanos, Supplier<String> words) {
        if (lines.size() == KEPT) {
            lines.removeFirst();
        }
        lines.addLast(new Line(atNanos, words));
    }

    public List<String> lines() {
        return lines.stream().map(Line::toString).toList();
    }
}
