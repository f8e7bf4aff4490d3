package dev.baton.formal;

import java.util.Map;

/**
 * One state of a counterexample.
 *
 * @param number the state's number, from 1
 * @param action what led here; {@code Init} for the first
 * @param changed what differs from the state before, with its new value; everything in the first state
 */
public record Step(int number, String action, Map<String, String> changed) {

    String readable() {
        StringBuilder text = new StringBuilder(String.format("%3d  %s%n", number, action));
        changed.forEach((variable, value) -> text.append(String.format("       %-14s %s%n", variable, value)));
        return text.toString();
    }
}
