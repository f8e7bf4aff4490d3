package dev.baton.chaos.checker;

import dev.baton.chaos.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The order of real time: an operation that was answered before another was invoked comes before it; two that overlap
 * are in no order. One sweep over both orders finds for each operation the highest value that was answered before it.
 */
final class RealTime<T> {

    private final Function<T, Operation> operation;
    private final ToLongFunction<T> value;

    RealTime(Function<T, Operation> operation, ToLongFunction<T> value) {
        this.operation = operation;
        this.value = value;
    }

    /** Two operations whose values are against the order of time. */
    record Pair<T>(T earlier, T later) {}

    /** What must hold of the highest value before and the value after. */
    interface Order {
        boolean holds(long before, long after);
    }

    /** For each operation at most one contradiction, with the highest value before it. */
    List<Pair<T>> contradictions(List<T> all, Order order) {
        return contradictions(all, value, order);
    }

    /** The same, where what comes after is judged by another value (the lowest of a range) than what comes before. */
    List<Pair<T>> contradictions(List<T> all, ToLongFunction<T> laterValue, Order order) {
        List<T> byInvocation = new ArrayList<>(all);
        byInvocation.sort(Comparator.comparingLong(each -> operation.apply(each).invokedNanos()));
        List<T> byAnswer = new ArrayList<>(all);
        byAnswer.sort(Comparator.comparingLong(each -> operation.apply(each).answeredNanos()));
        List<Pair<T>> pairs = new ArrayList<>();
        List<T> highest = new ArrayList<>(1);
        int answered = 0;
        for (T later : byInvocation) {
            while (answered < byAnswer.size()
                    && operation.apply(byAnswer.get(answered)).answeredNanos()
                            < operation.apply(later).invokedNanos()) {
                T candidate = byAnswer.get(answered++);
                if (highest.isEmpty() || value.applyAsLong(candidate) > value.applyAsLong(highest.get(0))) {
                    highest.clear();
                    highest.add(candidate);
                }
            }
            if (!highest.isEmpty() && !order.holds(value.applyAsLong(highest.get(0)), laterValue.applyAsLong(later))) {
                pairs.add(new Pair<>(highest.get(0), later));
            }
        }
        return pairs;
    }
}
