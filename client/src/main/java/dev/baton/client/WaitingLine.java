package dev.baton.client;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A line of callers: many join it without a lock, one at a time serves it.
 *
 * <p>Joining swaps the end of the line and then ties the knot. Between the two steps those behind cannot be seen yet; who
 * joins must therefore call the one who serves afterwards, never before.
 */
final class WaitingLine {

    private Waiter served = new Waiter(0); // its successor is the first in the line
    private final AtomicReference<Waiter> end = new AtomicReference<>(served);

    void join(Waiter waiter) {
        end.getAndSet(waiter).behind = waiter;
    }

    /** Who is first, or null; only for the one who serves, or as a hint. */
    @Nullable
    Waiter first() {
        return served.behind;
    }

    /** Takes the first out of the line, or null; only for the one who serves. */
    @Nullable
    Waiter take() {
        return takeIf(anybody -> true);
    }

    /** Takes the first out of the line if it is of that kind, or null; only for the one who serves. */
    @Nullable
    Waiter takeIf(Predicate<Waiter> kind) {
        Waiter before = served;
        Waiter first = before.behind;
        if (first == null || !kind.test(first)) {
            return null;
        }
        served = first;
        before.behind = null; // or a caller who keeps its future would keep all that came after it
        return first;
    }
}
