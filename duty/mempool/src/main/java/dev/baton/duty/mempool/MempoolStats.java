package dev.baton.duty.mempool;

import java.util.Optional;

/**
 * How full the pool is, in one look.
 *
 * @param propagated of those in flight, the ones that were claimed and that nobody has acknowledged
 * @param oldestPendingAtMillis when the transaction at the head of pending was received, by its receiver's wall clock
 * @param claimsReturned claims that lapsed, ever
 * @param fencedConfirms calls of replaced watchers, ever
 * @param lastEvent the last event's id
 */
public record MempoolStats(
        long pending,
        long inflight,
        long propagated,
        long confirmed,
        long finalized,
        Optional<Long> oldestPendingAtMillis,
        long claimsReturned,
        long fencedConfirms,
        long lastEvent,
        Point cursor,
        Optional<WatcherTerm> watcher) {}
