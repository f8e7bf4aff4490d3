package dev.baton.core.standing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Renders the transition table for people: a diagram of what changes the standing, and every row that does something. */
final class StandingDiagram {

    private final List<Transition<?, ?>> table = machine(Fencing.AT_LEDGER).table();

    private static StandingMachine machine(Fencing fencing) {
        return new StandingMachine(Transcript.rules(fencing));
    }

    String render() {
        return """
                # The standing machine

                Generated from the transition table in `core`; do not edit. The test `StandingDiagramTest` compares this page with
                the table and, run with `-Dbaton.docs.write=true`, writes it.

                A node begins as Follower. Asking and Opening are what people see as "promoting". Arrows carry the inputs that may
                change the standing; what an input does without changing it stands in the table below.

                ```mermaid
                stateDiagram-v2
                    [*] --> Follower
                %s```

                ## Rows

                For each standing and input the first row that applies is taken. A pair without a row is ignored: the standing stays
                as it is and nothing is done. "Tenured" is any standing with a term of its own: Opening, Leader or Quiescing.

                | from | on | when | to | does |
                |---|---|---|---|---|
                %s""".formatted(arrows(), rows());
    }

    /** A row for several standings does not lead from each of them to each of its targets, so the samples decide. */
    private static String arrows() {
        Map<String, TreeSet<String>> inputsOf = new TreeMap<>();
        for (Fencing fencing : Fencing.values()) {
            StandingMachine machine = machine(fencing);
            for (Standing from : Samples.standings()) {
                for (Input input : Samples.inputs()) {
                    Standing to = machine.step(from, input).next();
                    if (to.getClass() != from.getClass()) {
                        String arrow = name(from.getClass()) + " --> " + name(to.getClass());
                        inputsOf.computeIfAbsent(arrow, key -> new TreeSet<>()).add(name(input.getClass()));
                    }
                }
            }
        }
        StringBuilder out = new StringBuilder();
        inputsOf.forEach((arrow, inputs) -> out.append("    ")
                .append(arrow)
                .append(": ")
                .append(String.join(", ", inputs))
                .append('\n'));
        return out.toString();
    }

    /** Rows that say the same of several standings, and leave each as it is, are shown as one. */
    private String rows() {
        Map<String, List<String>> standingsOf = new LinkedHashMap<>();
        List<Transition<?, ?>> shown = new ArrayList<>();
        for (Transition<?, ?> row : table) {
            if (!row.isIgnored() && shown.stream().noneMatch(earlier -> hides(earlier, row))) {
                shown.add(row);
                String to = row.to().equals(Set.of(row.from())) ? "the same" : String.join(", ", targets(row));
                String rest = "| %s | %s | %s | %s |".formatted(name(row.on()), row.when(), to, row.does());
                standingsOf.computeIfAbsent(rest, key -> new ArrayList<>()).add(name(row.from()));
            }
        }
        StringBuilder out = new StringBuilder();
        standingsOf.forEach((rest, standings) -> out.append("| ")
                .append(String.join(", ", standings))
                .append(' ')
                .append(rest)
                .append('\n'));
        return out.toString();
    }

    /** Whether the earlier row always applies where the later one would. */
    private static boolean hides(Transition<?, ?> earlier, Transition<?, ?> later) {
        return earlier.when().isEmpty()
                && earlier.on() == later.on()
                && earlier.from().isAssignableFrom(later.from());
    }

    private static List<String> targets(Transition<?, ?> row) {
        return row.to().stream()
                .sorted(Comparator.comparingInt(TransitionTable.STANDINGS::indexOf))
                .map(StandingDiagram::name)
                .toList();
    }

    private static String name(Class<?> type) {
        return type.getSimpleName();
    }
}
