package dev.baton.cli.tokens.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How many, and the first few in words. */
final class Findings {

    private static final int SHOWN = 5;

    private final List<String> examples = new ArrayList<>();
    private long count;

    void add(Supplier<String> words) {
        count++;
        if (examples.size() < SHOWN) {
            examples.add(words.get());
        }
    }

    long count() {
        return count;
    }

    List<String> examples() {
        return examples;
    }
}
