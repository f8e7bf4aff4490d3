package dev.baton.duty.mempool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everything that can be seen of a pool, to be compared. */
public record PoolView(
        List<String> pending,
        List<InflightTransaction> inflight,
        List<FinalizedTransaction> finalized,
        List<Status> statuses,
        List<Event> events,
        Point cursor,
        long propagated,
        long claimsReturned,
        long fencedConfirms,
        Optional<WatcherTerm> watcher) {

    /** @param numbers how many of the sample transactions are asked for */
    public static PoolView of(Mempool pool, int numbers) {
        List<Status> statuses = new ArrayList<>();
        for (int number = 0; number < numbers; number++) {
            statuses.add(pool.checkStatus(Samples.hash(number)));
        }
        List<String> pending = pool.peekPending(0, 1000).items().stream()
                .map(each -> each.arrival() + " " + each.hash() + " " + each.payload())
                .toList();
        MempoolStats stats = pool.stats();
        return new PoolView(
                pending,
                pool.peekInflight(0, 1000).items(),
                pool.dumpFinalized(0, 1000).items(),
                statuses,
                events(pool),
                stats.cursor(),
                stats.propagated(),
                stats.claimsReturned(),
                stats.fencedConfirms(),
                stats.watcher());
    }

    private static List<Event> events(Mempool pool) {
        List<Event> all = new ArrayList<>();
        try (Subscription reader = pool.subscribe(0)) {
            while (reader.poll(Duration.ZERO) instanceof EventBatch.Next next
                    && !next.events().isEmpty()) {
                all.addAll(next.events());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return all;
    }
}
