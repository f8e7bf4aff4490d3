package dev.baton.formal;

import java.util.Map;

/**
 * One state of a counterexample.
 *
 * @param number the state's number, from 1
 * @param action what led here; {@code Init} for the first
 * @param changed variables whose value differs from the state before, with the new value
 */
public record Step(int number, String action, Map<String, String> changed) {

    String readable() {
        StringBuilder text = new StringBuilder(String.format("%3d  %s%n", number, action));
        changed.forEach((variable, value) -> text.append(String.format("       %-10s %s%n", variable, value)));
        return text.toString();
    }
}
