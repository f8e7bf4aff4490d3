package dev.baton.chaos.report;

import dev.baton.chaos.checker.Spread;
import dev.baton.chaos.history.Answer.Outcome;
import dev.baton.chaos.history.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The operations of one kind: how they ended, and how long the good ones took. */
record Latencies(Map<Outcome, Long> outcomes, Spread ok) {

    static Map<String, Latencies> byKind(List<Operation> operations) {
        Map<String, List<Operation>> kinds = new TreeMap<>();
        operations.forEach(each -> kinds.computeIfAbsent(each.request().kind(), k -> new ArrayList<>())
                .add(each));
        Map<String, Latencies> result = new TreeMap<>();
        kinds.forEach((kind, all) -> result.put(kind, of(all)));
        return result;
    }

    private static Latencies of(List<Operation> operations) {
        Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        List<Long> nanos = new ArrayList<>();
        for (Operation each : operations) {
            outcomes.merge(each.answer().outcome(), 1L, Long::sum);
            if (each.isOk()) {
                nanos.add(each.latencyNanos());
            }
        }
        return new Latencies(outcomes, Spread.of(nanos));
    }

    long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }
}
