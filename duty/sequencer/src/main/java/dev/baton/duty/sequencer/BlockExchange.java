package dev.baton.duty.sequencer;

import dev.baton.core.Height;
import dev.baton.core.Seating;

/** How blocks come from other nodes into this node's {@link Chain}. Thread-safe. */
public interface BlockExchange extends AutoCloseable {

    /** Receives the holder's blocks as it publishes them, until told otherwise. Does not block. */
    void follow(Seating holder);

    /** Does not block; a block that was on its way may still be added. */
    void unfollow();

    /**
     * Gets blocks from peers' stores until the chain reaches the height before {@code oldest}, which is where the
     * ledger begins. May block as long as it makes progress. Throws if no peer could help, saying what each answered.
     */
    void fetchBelow(Height oldest) throws Exception;

    @Override
    void close();
}
