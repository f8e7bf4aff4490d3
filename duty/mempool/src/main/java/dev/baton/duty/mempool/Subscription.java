package dev.baton.duty.mempool;

import java.time.Duration;

/**
 * One reader of events at its own pace.
 *
 * <p>Nothing is kept for it but a number: what it has not read yet waits in the pool, within the pool's window, so a
 * slow reader costs no memory. Used by one thread at a time.
 */
public interface Subscription extends AutoCloseable {

    /** Waits up to {@code patience} for something to happen. Throws {@link UnavailableException}; ask again then. */
    EventBatch poll(Duration patience) throws InterruptedException;

    /** The last event that was given; a new subscription goes on from there. */
    long position();

    /** Goes on after this event. */
    void seek(long after);

    @Override
    void close();
}
