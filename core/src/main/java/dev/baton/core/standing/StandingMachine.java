package dev.baton.core.standing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The function at the centre of every seat: the same standing and input always give the same step. */
public final class StandingMachine {

    private record Pair(Class<?> standing, Class<?> input) {}

    private final List<Transition<?, ?>> table;
    private final Map<Pair, List<Transition<?, ?>>> rowsOf = new HashMap<>();

    public StandingMachine(SeatRules rules) {
        this.table = new TransitionTable(rules).rows();
        for (Class<? extends Standing> standing : TransitionTable.STANDINGS) {
            for (Class<?> input : Input.class.getPermittedSubclasses()) {
                rowsOf.put(
                        new Pair(standing, input),
                        table.stream()
                                .filter(row -> row.from().isAssignableFrom(standing) && row.on() == input)
                                .toList());
            }
        }
    }

    public static Standing initial(long nowNanos) {
        return new Standing.Follower(Outlook.initial(nowNanos));
    }

    /** Takes the first row that applies; the table has one for every pair, which a test walks. */
    public Step step(Standing now, Input input) {
        for (Transition<?, ?> row : rowsOf.getOrDefault(new Pair(now.getClass(), input.getClass()), List.of())) {
            if (row.appliesTo(now, input)) {
                return row.take(now, input);
            }
        }
        throw new IllegalStateException("no transition from " + now + " on " + input);
    }

    /** The rows in the order in which they are tried. */
    public List<Transition<?, ?>> table() {
        return table;
    }
}
