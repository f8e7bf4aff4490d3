package dev.baton.authority;

import dev.baton.core.SeatId;

/** An engine that keeps seats and ledgers, as one node reaches it. */
public interface Authority extends AutoCloseable {

    /** The engine's short name: {@code raft}, {@code redis}, {@code etcd}, {@code nats}. */
    String kind();

    /**
     * The authority over one seat. Does not block; the same seat always gives the same object. A seat comes into
     * being by its first promotion.
     */
    SeatAuthority seat(SeatId seat);

    /**
     * Leaves the engine. Blocks until everything this node started is stopped. Does not resign: a holder that wants
     * its seat to be free at once resigns first. Calls that are still under way answer {@code Unavailable} or
     * {@code Indeterminate}. Closing twice is harmless.
     */
    @Override
    void close();
}
