package dev.baton.chaos.history;

import java.util.List;

/** What one source holds at the end: its blocks by height, and when the reading of it began. */
public record Holding(String source, long readNanos, List<Held> blocks) {

    public Holding {
        blocks = List.copyOf(blocks);
    }
}
