package dev.baton.formal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What TLC answered.
 *
 * @param finished whether it looked at everything it was asked to look at, or found a violation
 * @param violated the invariant that is broken, if one is
 * @param states states generated
 * @param distinct distinct states among them; random walks do not count them
 * @param trace how the violation is reached
 * @param output everything TLC printed
 */
public record Finding(
        Model model,
        boolean finished,
        Optional<String> violated,
        long states,
        long distinct,
        List<Step> trace,
        Duration took,
        String output) {

    /** The expected answer; a search that was cut short is no answer, but has not contradicted us either. */
    public boolean asExpected() {
        return model.mustHold() ? finished && violated.isEmpty() : violated.isPresent();
    }

    public boolean contradicts() {
        return finished && !asExpected();
    }

    /** The counterexample for a reader: each step with what it changed. */
    public String readableTrace() {
        StringBuilder text = new StringBuilder();
        text.append(model.name()).append(": ").append(model.shows()).append(System.lineSeparator());
        violated.ifPresent(
                invariant -> text.append("violated: ").append(invariant).append(System.lineSeparator()));
        trace.forEach(step -> text.append(step.readable()));
        return text.toString();
    }

    /** One line for a list of findings. */
    public String summary() {
        String answer = violated.map(invariant -> invariant + " violated in " + trace.size() + " states")
                .orElse(finished ? "holds" : "no violation, not finished");
        String counted = distinct > 0
                ? String.format("%,d distinct of %,d states", distinct, states)
                : String.format("%,d states", states);
        return String.format("%-28s %-48s %s, %d s", model.name(), answer, counted, took.toSeconds());
    }
}
