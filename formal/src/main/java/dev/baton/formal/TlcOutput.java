package dev.baton.formal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what TLC prints. */
final class TlcOutput {

    private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern STATE = Pattern.compile("State (\\d+): <(\\w+).*");
    private static final Pattern VARIABLE = Pattern.compile("/\\\\ (\\w+) = (.*)");
    private static final Pattern COUNTS =
            Pattern.compile("([\\d,]+) states generated.*?([\\d,]+) distinct states found");
    private static final Pattern WALKED = Pattern.compile("The number of states generated: (\\d+)");
    private static final Pattern WALKING = Pattern.compile("Progress: ([\\d,]+) states checked");

    private final String text;

    TlcOutput(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    Optional<String> violated() {
        Matcher matcher = VIOLATED.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    long states() {
        return Math.max(last(COUNTS, 1), Math.max(last(WALKED, 1), last(WALKING, 1)));
    }

    long distinct() {
        return last(COUNTS, 2);
    }

    private long last(Pattern pattern, int group) {
        return pattern.matcher(text)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(group).replace(",", "")))
                .reduce(0, (earlier, later) -> later);
    }

    /** The counterexample, each state reduced to what changed. */
    List<Step> trace() {
        List<Step> steps = new ArrayList<>();
        Map<String, String> before = Map.of();
        Map<String, String> state = new LinkedHashMap<>();
        int number = 0;
        String action = "";
        String variable = "";
        for (String line : text.lines().toList()) {
            Matcher header = STATE.matcher(line);
            Matcher assignment = VARIABLE.matcher(line);
            if (header.matches()) {
                number = Integer.parseInt(header.group(1));
                action = header.group(2).equals("Initial") ? "Init" : header.group(2);
            } else if (number > 0 && assignment.matches()) {
                variable = assignment.group(1);
                state.put(variable, assignment.group(2).strip());
            } else if (number > 0 && line.isBlank()) {
                steps.add(new Step(number, action, changes(before, state)));
                before = state;
                state = new LinkedHashMap<>();
                number = 0;
            } else if (number > 0) {
                state.merge(variable, line.strip(), (first, next) -> first + " " + next);
            }
        }
        return steps;
    }

    /** What differs, by component: {@code promised[n1]} rather than all of {@code promised}. */
    private static Map<String, String> changes(Map<String, String> before, Map<String, String> after) {
        Map<String, String> changed = new LinkedHashMap<>();
        after.forEach((variable, text) -> {
            TlaValue value = TlaParser.parse(text);
            String earlierText = before.get(variable);
            TlaValue earlier = earlierText == null ? null : TlaParser.parse(earlierText);
            if (!value.equals(earlier)) {
                components(variable, earlier, value, changed);
            }
        });
        return changed;
    }

    private static void components(
            String variable, @Nullable TlaValue earlier, TlaValue value, Map<String, String> changed) {
        if (earlier instanceof TlaValue.Mapping old && value instanceof TlaValue.Mapping now) {
            now.entries().forEach((key, component) -> {
                if (!component.equals(old.entries().get(key))) {
                    changed.put(variable + "[" + key + "]", component.brief());
                }
            });
        } else {
            changed.put(variable, value.brief());
        }
    }
}
