package dev.baton.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller who waits for one token: its future, its deadline and its place in the line, in one object. */
final class Waiter extends CompletableFuture<Long> {
    final long deadlineNanos;

    /** Who asked next; written once by that caller, see {@link WaitingLine}. */
    volatile @Nullable Waiter behind;

    Waiter(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }
}
