package dev.baton.duty.mempool;

import dev.baton.core.Hash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A pool of transactions.
 *
 * <p>Thread-safe. Every operation blocks, for a bounded time, and is one atomic step: a crash before or after it leaves
 * a pool in good order. What is answered is as durable as the implementation keeps it. Operations throw {@link
 * UnavailableException} if the pool cannot be reached, and {@link InvalidRequestException} for what makes no sense; all
 * of them may be repeated.
 *
 * <p>Numbers of arrival and of events come from one counter, so they only grow.
 */
public interface Mempool extends AutoCloseable {

    /** Adds a transaction, unless it is pending or in flight. Finalized and dropped ones may come again. */
    Received receive(Transaction transaction);

    /**
     * Adds transactions one after the other, each a step of its own; quicker than asking for each where a pool is far.
     * If it throws, any of them may have been added.
     */
    default List<Received> receiveAll(List<Transaction> transactions) {
        return transactions.stream().map(this::receive).toList();
    }

    boolean hasPending();

    /**
     * Pending transactions in order of arrival, after the cursor.
     *
     * <p>INV-18: a claim whose lease ended is pending again before anybody looks, at its old place.
     */
    Page<PendingTransaction> peekPending(long after, int limit);

    /**
     * Claims for propagation what is pending among these, and answers what that was, in the order asked.
     *
     * @param owner whose claims they are, for people to read
     * @param lease an unacknowledged claim returns to pending after so long: its owner has crashed, or failed
     */
    List<Hash> markInflight(String owner, Duration lease, List<Hash> hashes);

    /** Notes that a peer has these; answers those that were propagated and not yet acknowledged. */
    List<Hash> markAcknowledged(List<Hash> hashes);

    Optional<InflightTransaction> findInflight(Hash hash);

    /** Transactions in flight in order of arrival, after the cursor. */
    Page<InflightTransaction> peekInflight(long after, int limit);

    /**
     * Applies a block whose parent is where the chain ends for the pool, in slices, until it is done.
     *
     * <p>Per transaction the first that fits: seen: confirmed, one confirmation more; unseen: pending again, at the tail;
     * confirmed already: one confirmation more; otherwise one block without it more. With enough of either it is
     * finalized or dropped; a confirmed one is never dropped. A pending one that is seen is confirmed, too: it is on
     * the chain, whoever brought it there.
     *
     * <p>INV-16: a block is applied once. If the caller crashes between two slices, whoever comes next finishes them.
     */
    default Confirmation confirm(WatcherTerm term, ChainBlock block) {
        return finish(term, begin(term, block), () -> begin(term, block));
    }

    /** Takes the last block back: what it confirmed is pending again, and everything else has a confirmation less. */
    default Confirmation rollback(WatcherTerm term, Point last) {
        return finish(term, beginRollback(term, last), () -> beginRollback(term, last));
    }

    private Confirmation finish(
            WatcherTerm term, Confirmation first, java.util.function.Supplier<Confirmation> beginAgain) {
        Confirmation now = first;
        boolean foreign = now instanceof Confirmation.Unfinished;
        while (now instanceof Confirmation.Applying || now instanceof Confirmation.Unfinished) {
            now = advance(term);
            if (foreign && now instanceof Confirmation.Applied) {
                now = beginAgain.get();
                foreign = now instanceof Confirmation.Unfinished;
            }
        }
        return now;
    }

    /** The first slice of a block. */
    Confirmation begin(WatcherTerm term, ChainBlock block);

    /** The first slice of taking the last block back. */
    Confirmation beginRollback(WatcherTerm term, Point last);

    /**
     * The next slice of whatever was begun; answers {@link Confirmation.Applied} if there is none left.
     *
     * <p>INV-17: only the highest term that the pool has seen applies anything.
     */
    Confirmation advance(WatcherTerm term);

    /** Shows a new watcher's term: every lower one is refused from then on. To be done before anything is read. */
    Assumed assume(WatcherTerm term);

    Status checkStatus(Hash hash);

    /** Finalized and dropped transactions in the order in which that happened, after the cursor. */
    Page<FinalizedTransaction> dumpFinalized(long after, int limit);

    /**
     * Events after this one; 0 means from the first that ever was.
     *
     * @param after an id between 0 and {@link MempoolStats#lastEvent}
     */
    Subscription subscribe(long after);

    MempoolStats stats();

    /** What the pool goes by. */
    MempoolLimits limits();

    @Override
    void close();
}
