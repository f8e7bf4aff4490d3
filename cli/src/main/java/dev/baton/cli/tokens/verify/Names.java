package dev.baton.cli.tokens.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A number for each different value, from 0 on, so that ten million ranges need not carry them. */
final class Names<T> {

    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int number(T value) {
        Integer known = numbers.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        return values.size() - 1;
    }

    T value(int number) {
        return values.get(number);
    }

    List<T> values() {
        return values;
    }
}
