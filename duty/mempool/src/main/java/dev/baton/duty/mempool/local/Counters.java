package dev.baton.duty.mempool.local;

import dev.baton.duty.mempool.WatcherTerm;
import java.util.Optional;

/**
 * The pool's numbers.
 *
 * @param sequence the last number given to an arrival or an event
 * @param height blocks applied and not taken back
 * @param arrived blocks applied, ever: a block that came without a transaction stays one even when it is taken back
 */
record Counters(
        long sequence,
        long height,
        long arrived,
        long claimsReturned,
        long fencedConfirms,
        Optional<WatcherTerm> watcher) {

    static final Counters ZERO = new Counters(0, 0, 0, 0, 0, Optional.empty());

    Counters numbered() {
        return new Counters(sequence + 1, height, arrived, claimsReturned, fencedConfirms, watcher);
    }

    Counters blockBegun() {
        return new Counters(sequence, height + 1, arrived + 1, claimsReturned, fencedConfirms, watcher);
    }

    Counters blockTakenBack() {
        return new Counters(sequence, height - 1, arrived, claimsReturned, fencedConfirms, watcher);
    }

    Counters claimReturned() {
        return new Counters(sequence, height, arrived, claimsReturned + 1, fencedConfirms, watcher);
    }

    Counters fencedOnce() {
        return new Counters(sequence, height, arrived, claimsReturned, fencedConfirms + 1, watcher);
    }

    Counters watchedBy(WatcherTerm term) {
        return new Counters(sequence, height, arrived, claimsReturned, fencedConfirms, Optional.of(term));
    }
}
